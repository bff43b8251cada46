/** The captured MySQL server seen through SQL: what has to hold before capture starts, and how far behind it is. */
@NullMarked
package dev.vigil.cdc.mysql;

import org.jspecify.annotations.NullMarked;
