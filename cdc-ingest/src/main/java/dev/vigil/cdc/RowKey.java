package dev.vigil.cdc;

/**
 * Names a row that capture remembers.
 *
 * @param table {@code schema.table}
 * @param id the row's identity, as {@code id} of its records has it
 */
public record RowKey(String table, String id) {
    @Override
    public String toString() {
        return table + " " + id;
    }
}
