package dev.vigil.service.status;

import org.jspecify.annotations.Nullable;

/**
 * A snapshot of the captured tables that is being read.
 *
 * @param table that is being read
 * @param rows read so far, of all its tables
 * @param expectedRows how many the database's statistics know of; absent if it has none
 * @param onDemand of a table that was asked for, beside the stream, rather than of all tables before it
 */
public record SnapshotStatus(
        String table, long rows, @Nullable Long expectedRows, boolean onDemand) {}
