package dev.vigil.cdc.debezium;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.vigil.cdc.debezium.LogReader.Entry;
import dev.vigil.event.card.CardKey;
import dev.vigil.event.card.CardNumberConfig;
import dev.vigil.event.card.CardNumberConfig.Mode;
import dev.vigil.event.card.CardTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that has card numbers where none should be. Numbers are the schemes' published test numbers. */
final class CardNumbersIT {
    private static final String PAN = "4111111111111111";
    private static final String OTHER_PAN = "5105105105105100";
    private static final CardKey KEY = new CardKey("k1", new byte[32]);

    @TempDir
    Path directory;

    private CapturedBank bank;

    @BeforeEach
    void createBank() throws Exception {
        bank = CapturedBank.create(directory);
        bank.execute(
                "CREATE TABLE " + bank.table("cards") + " (pan bigint PRIMARY KEY, account_id text)",
                "CREATE TABLE " + bank.table("swipes")
                        + " (pan bigint, terminal text, digits numeric(19,0), at timestamptz, id int PRIMARY KEY)",
                "CREATE TABLE " + bank.table("limits") + " (pan text PRIMARY KEY, account_id text, amount numeric)");
        bank.map("cards", "{lookup: plastic, account: account_id}");
        bank.map(
                "swipes",
                "{event: swipe, account: {lookup: plastic, by: pan}, time: at, fields: {terminal: terminal, digits: digits}}");
        bank.map("limits", "{reference: limit, account: account_id, fields: {amount: amount}}");
    }

    @AfterEach
    void dropBank() throws Exception {
        bank.close();
    }

    @Test
    void shouldTokeniseWhatSnapshotAndStreamHoldAndStillFindAccounts() throws Exception {
        bank.cardNumbers(new CardNumberConfig(Mode.TOKENISE, List.of(KEY)));
        bank.execute("INSERT INTO " + bank.table("cards") + " VALUES (" + PAN + ", 'a1')");
        swipe(1, PAN, "shop", PAN);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitEvents(list -> list.size() == 1);
            swipe(2, PAN, "4111-1111-1111-1111 at the counter", "12");
            bank.execute(
                    "INSERT INTO " + bank.table("limits") + " VALUES ('" + PAN + "', '" + OTHER_PAN + "', 100)",
                    "UPDATE " + bank.table("limits") + " SET pan = '" + OTHER_PAN + "', account_id = 'a7'",
                    "DELETE FROM " + bank.table("limits"),
                    "UPDATE " + bank.table("cards") + " SET pan = " + OTHER_PAN);
            swipe(3, OTHER_PAN, "shop", "13");

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 7);

            String token = new CardTokens(List.of(KEY)).token(PAN);
            String other = new CardTokens(List.of(KEY)).token(OTHER_PAN);
            assertThat(of(events, "1").field("digits")).isEqualTo(token);
            assertThat(of(events, "2").field("terminal")).isEqualTo(token + " at the counter");
            assertThat(events)
                    .filteredOn(event -> event.type().equals("swipe"))
                    .extracting(Entry::key)
                    .containsOnly("a1");
            assertThat(events)
                    .filteredOn(event -> event.type().equals("vigil.reference.limit"))
                    .extracting(event -> event.id().replaceAll("@.*", ""), Entry::key, event -> event.data() == null)
                    .containsExactlyInAnyOrder(
                            tuple(token, other, false),
                            tuple(token, other, true),
                            tuple(other, "a7", false),
                            tuple(other, "a7", true));
        }
        assertNoCardNumber();
    }

    @Test
    void shouldSetRowsAsideThatHoldCardNumbersUnlessTheyOnlyNameACard() throws Exception {
        bank.cardNumbers(new CardNumberConfig(Mode.REFUSE, List.of(KEY)));
        bank.execute("INSERT INTO " + bank.table("cards") + " VALUES (" + PAN + ", 'a1')");
        swipe(1, PAN, "shop", "12");
        swipe(2, PAN, "shop", PAN);
        try (CdcIngest ingest = bank.ingest()) {
            ingest.start();
            bank.log.awaitDeadLetters(1);
            swipe(3, PAN, "4111 1111 1111 1111", "12");
            bank.execute("INSERT INTO " + bank.table("limits") + " VALUES ('" + PAN + "', 'a1', 100)");
            swipe(4, PAN, "shop", "14");

            List<Entry> events = bank.log.awaitEvents(list -> list.size() == 2);
            List<Entry> letters = bank.log.awaitDeadLetters(3);

            assertThat(events).extracting(Entry::id).containsExactlyInAnyOrder("1", "4");
            assertThat(events).extracting(Entry::key).containsOnly("a1");
            assertThat(letters)
                    .extracting(letter -> letter.headers().get("vigil-reason"))
                    .containsOnly("card_number");
            assertThat(letters)
                    .extracting(Entry::key)
                    .containsExactlyInAnyOrder("2", "3", "(looks like a payment card number (411111******1111))");
        }
        assertNoCardNumber();
    }

    private static Entry of(List<Entry> events, String id) {
        return events.stream()
                .filter(event -> event.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** In the log, the dead letters and what capture keeps below its directory. */
    private void assertNoCardNumber() throws IOException {
        String sent = bank.log.events() + " " + bank.log.deadLetters();
        assertThat(sent).doesNotContain(PAN, OTHER_PAN, "4111-1111", "4111 1111");
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain(PAN, OTHER_PAN, "4111-1111", "4111 1111");
            }
        }
    }

    private void swipe(int id, String pan, String terminal, String digits) throws SQLException {
        bank.execute("INSERT INTO " + bank.table("swipes") + " VALUES (" + pan + ", '" + terminal + "', " + digits
                + ", '2026-01-01 00:00:00Z', " + id + ")");
    }
}
