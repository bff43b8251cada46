package dev.vigil.lakehouse.query;

import java.util.Locale;

/** How an answer is written. */
public enum ResultFormat {
    /** Aligned columns for a person, the number of rows below. */
    TABLE {
        @Override
        public String write(QueryResult result) {
            return TableText.write(result);
        }
    },
    /** RFC 4180 with a header, LF line ends; NULL is an empty field, an empty text is quoted. */
    CSV {
        @Override
        public String write(QueryResult result) {
            return CsvText.write(result);
        }
    },
    /** An array of objects, one per line; NULL, NaN and infinities are null. */
    JSON {
        @Override
        public String write(QueryResult result) {
            return JsonText.write(result);
        }
    };

    /** The whole answer as text that ends with a line end. Times are RFC 3339 in UTC. */
    public abstract String write(QueryResult result);

    /** @throws IllegalArgumentException for anything but table, csv or json */
    public static ResultFormat parse(String name) {
        for (ResultFormat format : values()) {
            if (format.name().toLowerCase(Locale.ROOT).equals(name)) {
                return format;
            }
        }
        throw new IllegalArgumentException("expected table, csv or json, found " + name);
    }
}
