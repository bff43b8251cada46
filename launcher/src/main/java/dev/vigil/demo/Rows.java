package dev.vigil.demo;

import dev.vigil.demo.bank.Account;
import dev.vigil.demo.bank.Bank;
import dev.vigil.demo.bank.FraudLabel;
import dev.vigil.demo.bank.Merchant;
import dev.vigil.demo.bank.Payment;
import dev.vigil.demo.bank.Place;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns the bank's records into rows. Each statement takes its columns as arrays: one round trip for any number of rows. */
final class Rows {
    private static final String INSERT_ACCOUNTS =
            "INSERT INTO accounts (account_id, home_town, home_country, opened_at, credit_limit) "
                    + "SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::timestamptz[], ?::numeric[])";
    private static final String INSERT_CARDS =
            "INSERT INTO cards (card_id, account_id) SELECT * FROM unnest(?::text[], ?::text[])";
    private static final String INSERT_MERCHANTS =
            "INSERT INTO merchants (merchant_id, name, category, town, country, online) "
                    + "SELECT * FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::text[], ?::bool[])";
    private static final String INSERT_PAYMENTS =
            "INSERT INTO transactions (transaction_id, account_id, card_id, merchant_id, terminal_id, category, amount, "
                    + "currency, country, device_id, lat, lon, created_at) "
                    + "SELECT * FROM unnest(?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::text[], "
                    + "?::numeric[], ?::text[], ?::text[], ?::text[], ?::float8[], ?::float8[], ?::timestamptz[]) "
                    + "ON CONFLICT (transaction_id) DO NOTHING";
    private static final String INSERT_LABELS =
            "INSERT INTO fraud_labels (transaction_id, account_id, is_fraud, scenario, labelled_at) "
                    + "SELECT * FROM unnest(?::bigint[], ?::text[], ?::bool[], ?::text[], ?::timestamptz[]) "
                    + "ON CONFLICT (transaction_id) DO NOTHING";
    private static final int PAYMENTS_PER_STATEMENT = 5_000;

    private Rows() {}

    static void insertPopulation(Connection connection, Bank bank, Instant foundedAt) throws SQLException {
        List<Account> accounts = bank.accounts();
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO bank VALUES (?, ?, ?)")) {
            statement.setLong(1, bank.shape().seed());
            statement.setInt(2, bank.shape().accounts());
            statement.setObject(3, foundedAt.atOffset(ZoneOffset.UTC));
            statement.executeUpdate();
        }
        new Columns<>(accounts)
                .add("text", Account::id)
                .add("text", account -> account.home().name())
                .add("text", account -> account.home().country())
                .add("text", Account::openedAt)
                .add("numeric", account -> money(account.creditLimitMinor()))
                .insert(connection, INSERT_ACCOUNTS);
        List<String[]> cards = accounts.stream()
                .flatMap(account -> account.cards().stream().map(card -> new String[] {card, account.id()}))
                .toList();
        new Columns<>(cards)
                .add("text", card -> card[0])
                .add("text", card -> card[1])
                .insert(connection, INSERT_CARDS);
        new Columns<>(bank.merchants())
                .add("text", Merchant::id)
                .add("text", Merchant::name)
                .add("text", merchant -> merchant.category().code())
                .add("text", merchant -> merchant.town().name())
                .add("text", merchant -> merchant.town().country())
                .add("bool", Merchant::online)
                .insert(connection, INSERT_MERCHANTS);
    }

    static int insertPayments(Connection connection, List<Payment> payments) throws SQLException {
        int inserted = 0;
        for (int from = 0; from < payments.size(); from += PAYMENTS_PER_STATEMENT) {
            int to = Math.min(payments.size(), from + PAYMENTS_PER_STATEMENT);
            inserted += new Columns<>(payments.subList(from, to))
                    .add("int8", Payment::id)
                    .add("text", Payment::accountId)
                    .add("text", Payment::cardId)
                    .add("text", payment -> payment.merchant().id())
                    .add("text", payment -> payment.terminal().id())
                    .add("text", payment -> payment.merchant().category().code())
                    .add("numeric", payment -> money(payment.amountMinor()))
                    .add("text", payment -> Bank.currency())
                    .add("text", Payment::country)
                    .add("text", payment -> payment.madeFrom().orElse(null))
                    .add("float8", payment -> coordinate(payment, Place::latitude))
                    .add("float8", payment -> coordinate(payment, Place::longitude))
                    .add("text", payment -> Instant.ofEpochMilli(payment.eventTimeMs()))
                    .insert(connection, INSERT_PAYMENTS);
        }
        return inserted;
    }

    static int insertLabels(Connection connection, List<FraudLabel> labels) throws SQLException {
        if (labels.isEmpty()) {
            return 0;
        }
        return new Columns<>(labels)
                .add("int8", FraudLabel::paymentId)
                .add("text", FraudLabel::accountId)
                .add("bool", label -> true)
                .add("text", label -> label.scenario().code())
                .add("text", label -> Instant.ofEpochMilli(label.labelledAtMs()))
                .insert(connection, INSERT_LABELS);
    }

    private static BigDecimal money(long minor) {
        return BigDecimal.valueOf(minor, 2);
    }

    private static @Nullable Double coordinate(Payment payment, Function<Place, Double> coordinate) {
        return payment.terminal().standsAt().map(coordinate).orElse(null);
    }
}
