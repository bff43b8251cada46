package dev.vigil.cdc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.vigil.config.ConfigDocument;
import dev.vigil.config.ConfigException;
import dev.vigil.event.card.CardNumberConfig;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class CdcConfigTest {

    private static final String DATABASE = "database: {host: db.bank, user: vigil, password: s3cret, name: bank}\n";
    private static final String TRANSACTIONS =
            "  public.transactions: {event: transaction, id: transaction_id, account: account_id, time: created_at,"
                    + " fields: {amount: amount}}\n";

    @Test
    void shouldTakeDefaultsForWhatIsLeftOut() {
        CdcConfig config = read(DATABASE + "tables:\n" + TRANSACTIONS);

        assertThat(config.database())
                .isEqualTo(DatabaseConfig.postgresql("db.bank", 5432, "vigil", "s3cret", "bank", "prefer"));
        assertThat(config.slot()).isEqualTo("vigil");
        assertThat(config.publication()).isEqualTo("vigil");
        assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void shouldReadEveryKey() {
        CdcConfig config = read("""
            database: {host: db.bank, port: 6543, user: vigil, password: s3cret, name: bank, ssl-mode: require}
            slot: fraud
            publication: fraud_tables
            heartbeat: 30s
            tables:
              public.fraud_labels: {label: fraud, event: transaction, event-id: [bank_id, transaction_id], id: label_id, account: account_id, value: is_fraud, time: labelled_at}
              public.transactions: {event: transaction, id: [bank_id, transaction_id], account: account_id, time: created_at, fields: {amount: amount, place: country}}
              public.accounts: {reference: account, id: row_id, account: account_id, time: valid_from, fields: {limit: credit_limit}}
            """);

        assertThat(config.database().port()).isEqualTo(6543);
        assertThat(config.database().sslMode()).isEqualTo("require");
        assertThat(config.slot()).isEqualTo("fraud");
        assertThat(config.publication()).isEqualTo("fraud_tables");
        assertThat(config.heartbeat()).isEqualTo(Duration.ofSeconds(30));
        assertThat(config.tables())
                .extracting(TableMapping::table)
                .containsExactly("public.accounts", "public.transactions", "public.fraud_labels");
        assertThat(config.tables().get(0).columns())
                .containsExactly("row_id", "account_id", "valid_from", "credit_limit");
        assertThat(((EventTable) config.tables().get(1)).fields()).containsEntry("place", "country");
        LabelTable labels = (LabelTable) config.tables().get(2);
        assertThat(labels.eventId()).isEqualTo(List.of("bank_id", "transaction_id"));
        assertThat(labels.eventSource()).isEqualTo("/cdc/bank/public.transactions");
    }

    @Test
    void shouldNotShowThePassword() {
        assertThat(read(DATABASE + "tables:\n" + TRANSACTIONS).toString())
                .contains("db.bank:5432/bank")
                .doesNotContain("s3cret");
    }

    @Test
    void shouldRefuseMistypedKeysWithTheNearestOne() {
        assertRefused(
                "slott: x\n" + DATABASE + "tables:\n" + TRANSACTIONS, "unknown key 'slott', did you mean 'slot'?");
        assertRefused(
                DATABASE + "tables:\n  public.t: {event: e, acount: a, time: t, fields: {}}\n",
                "unknown key 'acount', did you mean 'account'?");
    }

    @Test
    void shouldReadAWayToTheAccount() {
        CdcConfig config = read(DATABASE + "lookups: {wait: 5m, max-waiting: 7}\naccept-gap: true\ntables:\n"
                + "  public.t: {event: e, account: {lookup: card, by: [bank, card]}, time: t, fields: {}}\n"
                + "  public.cards: {lookup: card, account: {lookup: holder, by: holder_id}}\n"
                + "  public.holders: {reference: holder, account: account_id, fields: {}}\n");

        assertThat(config.lookups()).isEqualTo(new LookupConfig(Duration.ofMinutes(5), 7));
        assertThat(config.acceptGap()).isTrue();
        assertThat(config.tables())
                .extracting(TableMapping::table)
                .containsExactly("public.cards", "public.holders", "public.t");
        assertThat(config.tables().get(2).account())
                .isEqualTo(new AccountSource.Lookup(
                        "card",
                        "public.cards",
                        List.of("bank", "card"),
                        new AccountSource.Lookup(
                                "holder",
                                "public.holders",
                                List.of("holder_id"),
                                new AccountSource.Column("account_id"))));
    }

    @Test
    void shouldRefuseAWayThatDoesNotLeadToAnAccount() {
        String cards = "  public.cards: {lookup: card, account: account_id}\n";
        assertRefused(
                DATABASE + "tables:\n" + cards
                        + "  public.t: {event: e, account: {lookup: cart, by: c}, time: t, fields: {}}\n",
                "no table gives lookup or reference 'cart', did you mean 'card'?");
        assertRefused(
                DATABASE + "tables:\n" + cards
                        + "  public.t: {event: e, account: {lookup: card}, time: t, fields: {}}\n",
                "missing 'by'");
        assertRefused(
                DATABASE + "tables:\n" + cards
                        + "  public.t: {event: e, account: {lookup: card, bye: c}, time: t, fields: {}}\n",
                "unknown key 'bye', did you mean 'by'?");
        assertRefused(
                DATABASE + "tables:\n  public.cards: {lookup: card, account: {lookup: holder, by: h}}\n"
                        + "  public.holders: {lookup: holder, account: {lookup: card, by: c}}\n",
                "lookups go round in a circle: ");
        assertRefused(
                DATABASE + "tables:\n" + cards + "  public.more: {lookup: card, account: account_id}\n",
                "lookup 'card' comes from public.cards already");
        assertRefused(
                DATABASE + "tables:\n" + cards
                        + "  public.r: {reference: r, account: {lookup: card, by: c}, fields: {}}\n",
                "expected a text, found a mapping");
        assertRefused(DATABASE + "lookups: {wait: soon}\ntables:\n" + TRANSACTIONS, "lookups.wait");
    }

    @Test
    void shouldReadAMySqlServerWithDefaultsOfItsOwn() {
        String tables = "tables:\n" + TRANSACTIONS.replace("public.", "bank.");
        CdcConfig config = read("database: {type: mysql, host: db, user: u, name: bank}\n" + tables);
        CdcConfig other = read("database: {type: mysql, host: db, port: 3307, user: u, name: bank, server-id: 77,"
                + " ssl-mode: verify-identity}\n" + tables);

        assertThat(config.database())
                .isEqualTo(new DatabaseConfig(DatabaseType.MYSQL, "db", 3306, "u", "", "bank", "preferred", 184_054));
        assertThat(config.source("bank.transactions")).isEqualTo("/cdc/bank/bank.transactions");
        assertThat(other.database())
                .isEqualTo(new DatabaseConfig(DatabaseType.MYSQL, "db", 3307, "u", "", "bank", "verify-identity", 77));
    }

    @Test
    void shouldRefuseWhatTheKindOfDatabaseDoesNotHave() {
        String mysql = "database: {type: mysql, host: db, user: u, name: bank}\n";
        String tables = "tables:\n" + TRANSACTIONS;
        assertRefused("database: {type: mysqll, host: db}\n" + tables, "unknown type 'mysqll', did you mean 'mysql'?");
        assertRefused(mysql + "slot: vigil\n" + tables, "only a postgresql database has a slot");
        assertRefused(mysql + "publication: vigil\n" + tables, "only a postgresql database has a publication");
        assertRefused(
                "database: {type: mysql, host: db, user: u, name: bank, ssl-mode: require}\n" + tables,
                "unknown mode 'require', did you mean 'required'?");
        assertRefused("database: {type: mysql, host: db, user: u, name: bank, server-id: 0}\n" + tables, "server-id");
        assertRefused("database: {host: db, user: u, name: bank, server-id: 7}\n" + tables, "unknown key 'server-id'");
    }

    @Test
    void shouldRefuseWhatCannotBeMeant() {
        assertRefused(DATABASE, "missing 'tables'");
        assertRefused(DATABASE + "tables: {}\n", "expected at least one table");
        assertRefused("slot: Not-A-Slot\n" + DATABASE + "tables:\n" + TRANSACTIONS, "lower-case letters");
        assertRefused("heartbeat: 0s\n" + DATABASE + "tables:\n" + TRANSACTIONS, "a duration above 0");
        assertRefused(DATABASE + "tables:\n  transactions: {event: e}\n", "expected a table as schema.table");
        assertRefused(
                DATABASE + "tables:\n  public.t: {account: a}\n", "expected one of event, reference, label, lookup");
        assertRefused(
                DATABASE + "tables:\n  public.t: {event: vigil.tick, account: a, time: t, fields: {}}\n",
                "an event type that does not start with vigil.");
        assertRefused(
                DATABASE + "tables:\n" + TRANSACTIONS
                        + "  public.l: {label: fraud, event: transactions, event-id: i, account: a, value: v, time:"
                        + " t}\n",
                "no table gives event 'transactions', did you mean 'transaction'?");
        assertRefused(
                DATABASE + "tables:\n" + TRANSACTIONS
                        + "  public.more: {event: transaction, account: a, time: t, fields: {}}\n",
                "event 'transaction' comes from public.transactions already");
    }

    @Test
    void shouldNameColumnsOfOtherNumbersByTheirTable() {
        CdcConfig config =
                read(DATABASE + "not-card-numbers: [public.transactions.transaction_id]\ntables:\n" + TRANSACTIONS);

        assertThat(config.notCardNumbers()).containsExactly("public.transactions.transaction_id");
        assertThatThrownBy(() -> read(DATABASE + "not-card-numbers: [public.transaction.id]\ntables:\n" + TRANSACTIONS))
                .hasMessageContaining("expected schema.table.column of a mapped table")
                .hasMessageContaining("did you mean 'public.transactions'?");
    }

    @Test
    void shouldRefuseATableThatIsMappedTwice() {
        assertRefused(
                DATABASE + "tables:\n  public.t: {event: e, reference: r, account: a, time: t, fields: {}}\n",
                "expected a table whose rows are one of event, reference, label, lookup, found event and reference; rows"
                        + " of one table become one kind of record");
        assertRefused(
                DATABASE + "tables:\n  public.t: {reference: r, lookup: l, account: a, fields: {}}\n",
                "found reference and lookup; a reference can be looked up as it is");
        assertRefused(
                DATABASE + "tables:\n" + TRANSACTIONS + "  public.l: {label: fraud, reference: r, event: transaction,"
                        + " event-id: i, account: a, value: v, time: t}\n",
                "found reference and label");
        assertRefused(DATABASE + "tables:\n" + TRANSACTIONS + TRANSACTIONS, "public.transactions");
    }

    private static CdcConfig read(String yaml) {
        return CdcConfig.from(ConfigDocument.parse("vigil.yaml", yaml), CardNumberConfig.defaults());
    }

    private static void assertRefused(String yaml, String reason) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageStartingWith("vigil.yaml:")
                .hasMessageContaining(reason);
    }
}
