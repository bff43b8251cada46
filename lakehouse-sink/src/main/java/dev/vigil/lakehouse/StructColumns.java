package dev.vigil.lakehouse;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Columns of one evolving struct, {@code fields} or {@code features}, and the answer to which column takes a value.
 *
 * <p>A name's column is called by the name. Where a later policy gives the name another type, its values go to a second
 * column with the type as suffix, {@code risk__string}: a column never changes its type, so what was written stays
 * readable. Names that differ in case alone would be one name to most query engines and are kept apart by refusing the
 * second. One thread.
 */
public final class StructColumns {
    /** Columns of a struct at most, so that a producer of ever new names cannot bloat the table. */
    static final int MAX_COLUMNS = 1_000;

    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
    private static final String TYPE_SEPARATOR = "__";

    private final Map<String, ColumnType> columns;
    private final Map<String, String> byLowerCase = new LinkedHashMap<>();

    /** @param columns that exist, by name in the table's order */
    public StructColumns(Map<String, ColumnType> columns) {
        this.columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
        columns.keySet().forEach(name -> byLowerCase.put(lower(name), name));
    }

    public Map<String, ColumnType> columns() {
        return columns;
    }

    /** Columns to add so that every declared name has one of its type; empty if none is missing. */
    public Map<String, ColumnType> missing(Map<String, ColumnType> declared) {
        Map<String, ColumnType> missing = new LinkedHashMap<>();
        StructColumns grown = this;
        for (Map.Entry<String, ColumnType> entry : declared.entrySet()) {
            String column = grown.newColumnFor(entry.getKey(), entry.getValue());
            if (column != null) {
                missing.put(column, entry.getValue());
                Map<String, ColumnType> all = new LinkedHashMap<>(grown.columns);
                all.put(column, entry.getValue());
                grown = new StructColumns(all);
            }
        }
        return missing;
    }

    private @Nullable String newColumnFor(String name, ColumnType type) {
        if (columnFor(name, type) != null || !PLAIN_NAME.matcher(name).matches() || columns.size() >= MAX_COLUMNS) {
            return null;
        }
        if (!byLowerCase.containsKey(lower(name))) {
            return name;
        }
        String typed = name + TYPE_SEPARATOR + type.label();
        return columns.containsKey(name) && !byLowerCase.containsKey(lower(typed)) ? typed : null;
    }

    /** Column of a declared name and type; absent if there is none. */
    public @Nullable String columnFor(String name, ColumnType type) {
        if (type.equals(columns.get(name))) {
            return name;
        }
        String typed = name + TYPE_SEPARATOR + type.label();
        return type.equals(columns.get(typed)) ? typed : null;
    }

    /** Column for a value whose type nobody declared: the first of its name's columns that it fits; absent if none. */
    public @Nullable String columnTaking(String name, Object json) {
        ColumnType plain = columns.get(name);
        if (plain != null && plain.fit(json) != null) {
            return name;
        }
        ColumnType inferred = ColumnType.infer(json);
        return inferred == null ? null : columnFor(name, inferred);
    }

    /** Whether a column of that name may be added for a value whose type nobody declared. */
    public boolean isFree(String name) {
        return columns.size() < MAX_COLUMNS
                && !byLowerCase.containsKey(lower(name))
                && PLAIN_NAME.matcher(name).matches();
    }

    /** The name under which a column's values travel: without the type that {@link #columnFor} appends. */
    public static String valueName(String column, ColumnType type) {
        String suffix = TYPE_SEPARATOR + type.label();
        return column.endsWith(suffix) && column.length() > suffix.length()
                ? column.substring(0, column.length() - suffix.length())
                : column;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
