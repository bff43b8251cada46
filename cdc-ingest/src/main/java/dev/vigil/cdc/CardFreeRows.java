package dev.vigil.cdc;

import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.event.card.CardNumberGuard;
import dev.vigil.event.card.CardNumbers;
import dev.vigil.event.card.CardTokens;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps card numbers out of row changes before anything else looks at them: keys, old and new rows. What they become is the
 * deployment's one setting for all ways by which events come in. Columns are looked at when they are read, so that those
 * which nobody reads cost nothing. Safe for any thread.
 */
final class CardFreeRows {
    /** Any whole number below has fewer digits than a card number. */
    private static final long MIN_NUMBER = 1_000_000_000_000L;

    private final CardNumberGuard guard;
    private final @Nullable CardTokens tokens;
    private final Set<String> exemptColumns;
    private final Set<String> exemptTables;

    /** @param exemptColumns as {@code schema.table.column}: known to hold other numbers that look like those of cards */
    CardFreeRows(CardNumberConfig config, Set<String> exemptColumns) {
        this.guard = new CardNumberGuard(config);
        this.tokens = config.keys().isEmpty() ? null : new CardTokens(config.keys());
        this.exemptColumns = Set.copyOf(exemptColumns);
        this.exemptTables = exemptColumns.stream()
                .map(column -> column.substring(0, column.lastIndexOf('.')))
                .collect(Collectors.toUnmodifiableSet());
    }

    RowChange clean(RowChange change) {
        return new RowChange(
                change.operation(),
                change.table(),
                clean(change.table(), change.key()),
                clean(change.table(), change.before()),
                clean(change.table(), change.after()),
                change.lsn(),
                change.committedUs());
    }

    private @Nullable Row clean(String table, @Nullable Row row) {
        return row == null ? null : new CardFreeRow(this, exemptTables.contains(table) ? table : null, row);
    }

    /** @param table of which some columns are exempt; else null */
    private record CardFreeRow(CardFreeRows cards, @Nullable String table, Row row) implements Row {
        @Override
        public List<String> columns() {
            return row.columns();
        }

        @Override
        public ColumnValue column(String name) {
            ColumnValue value = row.column(name);
            return table != null && cards.exemptColumns.contains(table + "." + name) ? value : cards.clean(value);
        }
    }

    private ColumnValue clean(ColumnValue value) {
        String text = textThatMayHoldOne(value);
        return text.length() < CardNumbers.MIN_DIGITS || !CardNumbers.isIn(text) ? value : card(text);
    }

    private static String textThatMayHoldOne(ColumnValue value) {
        if (value instanceof ColumnValue.Text text) {
            return text.text();
        }
        if (value instanceof ColumnValue.Whole whole) {
            boolean isLong = whole.value() >= MIN_NUMBER || whole.value() <= -MIN_NUMBER;
            return isLong ? CardNumbers.wholeDigits(whole.text()) : "";
        }
        boolean mayBeLong = value instanceof ColumnValue.Decimal decimal && mayBeLong(decimal.text())
                || value instanceof ColumnValue.Floating floating && Math.abs(floating.value()) >= MIN_NUMBER;
        return mayBeLong && value.problem().isEmpty() ? CardNumbers.wholeDigits(value.text()) : "";
    }

    /** Nearly no amount is. */
    private static boolean mayBeLong(String decimal) {
        return decimal.length() >= CardNumbers.MIN_DIGITS || decimal.indexOf('e') >= 0 || decimal.indexOf('E') >= 0;
    }

    private ColumnValue card(String text) {
        ColumnValue published = guard.storable(text)
                .<ColumnValue>map(ColumnValue.Text::new)
                .orElseGet(() -> new ColumnValue.Unusable(Reason.CARD_NUMBER, CardNumberGuard.found(text)));
        return new ColumnValue.Card(published, tokens == null ? List.of() : tokens.texts(text));
    }
}
