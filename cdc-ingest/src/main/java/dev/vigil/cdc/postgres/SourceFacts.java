package dev.vigil.cdc.postgres;

import dev.vigil.cdc.PublicationIdentity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the database says of itself when a run begins.
 *
 * @param tables what is known of the mapped tables, by {@code schema.table}
 * @param numericDomains names in upper case of domains whose values are decimals; the log names a column's domain only
 * @param server which server this is, and on which line of its history, to be stored beside a position
 * @param publication which one it is; null before it is looked at
 * @param readAnew the stream cannot go on from the stored position, and that is accepted
 */
public record SourceFacts(
        Map<String, TableFacts> tables,
        Set<String> numericDomains,
        String server,
        @Nullable PublicationIdentity publication,
        boolean readAnew) {

    public SourceFacts {
        tables = Collections.unmodifiableMap(new LinkedHashMap<>(tables));
        numericDomains = Set.copyOf(numericDomains);
    }

    /** Of a server whose publication is not looked at yet. */
    public static SourceFacts of(Map<String, TableFacts> tables, Set<String> numericDomains, String server) {
        return new SourceFacts(tables, numericDomains, server, null, false);
    }

    SourceFacts with(@Nullable PublicationIdentity found, boolean anew) {
        return new SourceFacts(tables, numericDomains, server, found, anew);
    }

    /** Whether the whole old row is logged with every update and delete. */
    public boolean isFullIdentity(String table) {
        TableFacts facts = tables.get(table);
        return facts != null && facts.fullIdentity();
    }
}
