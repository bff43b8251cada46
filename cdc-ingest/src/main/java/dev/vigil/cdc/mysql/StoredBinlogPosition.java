package dev.vigil.cdc.mysql;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an earlier run left behind.
 *
 * @param position how far the stream was stored; empty before the first snapshot was complete
 * @param gtids the transactions up to there, where the server numbers them; empty where it does not
 * @param server which server it was read from, as {@link MySqlFacts#server} said; null if that is not known
 * @param hasSchemaHistory whether the tables' structure at the position is known
 * @param file where it is stored, for messages
 */
public record StoredBinlogPosition(
        Optional<BinlogPosition> position,
        String gtids,
        @Nullable String server,
        boolean hasSchemaHistory,
        String file) {}
