/** The Iceberg edge: catalog, tables, data files, commits, and which files a query has to read. */
@NullMarked
package dev.vigil.lakehouse.iceberg;

import org.jspecify.annotations.NullMarked;
