package dev.vigil.cdc.mysql;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the server says of itself when a run begins.
 *
 * @param tables what is known of the mapped tables, by {@code database.table}
 * @param server its UUID, to be stored beside a position
 * @param numbersTransactions whether it gives each transaction an identifier (GTID)
 * @param readAnew there is no position, or the stream cannot go on from it and that is accepted
 */
public record MySqlFacts(Map<String, MySqlTable> tables, String server, boolean numbersTransactions, boolean readAnew) {

    public MySqlFacts {
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
    }
}
