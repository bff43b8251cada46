package dev.vigil.cdc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which publication of its name it is, and through what it holds each mapped table, in numbers that the server never gives again: a
 * publication that was dropped and made again has another one, and so has a table that was taken out and put back.
 *
 * @param oid of the publication
 * @param memberships by table, each of what puts it into the publication: {@code table N}, {@code schema N}, {@code all tables}
 */
public record PublicationIdentity(long oid, Map<String, Set<String>> memberships) {

    public PublicationIdentity {
        Map<String, Set<String>> copy = new TreeMap<>();
        memberships.forEach((table, ways) -> copy.put(table, new TreeSet<>(ways)));
        memberships = copy;
    }

    /**
     * Tables that both have and that nothing has held all the time between; what holds a table both now and then has held it ever
     * since.
     */
    public Set<String> interrupted(PublicationIdentity now) {
        Set<String> tables = new TreeSet<>();
        memberships.forEach((table, before) -> {
            Set<String> since = new TreeSet<>(now.memberships.getOrDefault(table, before));
            since.retainAll(before);
            if (since.isEmpty()) {
                tables.add(table);
            }
        });
        return tables;
    }

    /** This one, with the tables that it does not know. */
    public PublicationIdentity withNewTables(PublicationIdentity later) {
        Map<String, Set<String>> all = new LinkedHashMap<>(later.memberships);
        all.putAll(memberships);
        return new PublicationIdentity(oid, all);
    }
}
