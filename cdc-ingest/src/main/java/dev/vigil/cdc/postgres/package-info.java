/** The captured PostgreSQL server seen through SQL: what has to hold before capture starts, and how far behind it is. */
@NullMarked
package dev.vigil.cdc.postgres;

import org.jspecify.annotations.NullMarked;
