package dev.vigil.cdc.postgres;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What the database says of itself when a run begins.
 *
 * @param tables what is known of the mapped tables, by {@code schema.table}
 * @param numericDomains names in upper case of domains whose values are decimals; the log names a column's domain only
 * @param server which server this is, and on which line of its history, to be stored beside a position
 * @param readAnew the stream cannot go on from the stored position, and that is accepted
 */
public record SourceFacts(Map<String, TableFacts> tables, Set<String> numericDomains, String server, boolean readAnew) {

    public SourceFacts {
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
        numericDomains = Set.copyOf(numericDomains);
    }

    SourceFacts readAnew(boolean anew) {
        return new SourceFacts(tables, numericDomains, server, anew);
    }

    /** Whether the whole old row is logged with every update and delete. */
    public boolean isFullIdentity(String table) {
        TableFacts facts = tables.get(table);
        return facts != null && facts.fullIdentity();
    }
}
