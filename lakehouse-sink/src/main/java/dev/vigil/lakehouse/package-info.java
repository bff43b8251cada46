/**
 * History without its technology: which tables there are, which row a record becomes, where a table stands in its topic,
 * and the loop that moves records into committed snapshots. Knows neither Kafka nor Iceberg; their edges implement
 * {@link dev.vigil.lakehouse.RecordSource} and {@link dev.vigil.lakehouse.HistoryStore}.
 */
@NullMarked
package dev.vigil.lakehouse;

import org.jspecify.annotations.NullMarked;
