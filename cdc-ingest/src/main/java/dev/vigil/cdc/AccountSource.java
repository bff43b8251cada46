package dev.vigil.cdc;

import java.util.List;

/** Where a row's account stands: in the row, or in a row of another captured table that it names. */
public sealed interface AccountSource {

    /** Columns of the row itself that it takes to find out. */
    List<String> columns();

    /** The account stands in the row. */
    record Column(String column) implements AccountSource {
        @Override
        public List<String> columns() {
            return List.of(column);
        }
    }

    /**
     * The row names a row of another table, which says the account, or names the next one.
     *
     * @param name of the other table's rows in the configuration
     * @param table that they stand in
     * @param by columns of this row that hold the other row's identity
     * @param next where the other row has the account
     */
    record Lookup(String name, String table, List<String> by, AccountSource next) implements AccountSource {
        public Lookup {
            by = List.copyOf(by);
        }

        @Override
        public List<String> columns() {
            return by;
        }
    }
}
