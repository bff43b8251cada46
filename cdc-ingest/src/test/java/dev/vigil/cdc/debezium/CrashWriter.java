package dev.vigil.cdc.debezium;

import dev.vigil.embedded.EmbeddedDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes transactions of several rows over several tables, one after the other, and keeps what each committed one has to give.
 * Payments name a card, cards name an account; now and then a payment comes before its card, and a card moves to another
 * account. A thread of its own; what it knows is to be looked at while it is paused.
 */
final class CrashWriter implements Runnable {

    private static final int CARDS_MAX = 400;
    private static final int BURST = 3_000;

    /** @param accountIndex which of the card's accounts it had when the payment was committed */
    record Payment(long id, long transaction, long card, int accountIndex, String amount) {}

    final Map<Long, Payment> payments = new LinkedHashMap<>();
    /** In the order in which the card had them. */
    private final Map<Long, List<String>> accountsByCard = new TreeMap<>();

    private final Random random;
    private final Supplier<EmbeddedDatabase> database;
    private final String schema;
    private @Nullable Connection connection;
    private long nextTransaction = 1;
    private long nextPayment = 1;
    private long nextCard = 1;
    private long nextAccount = 1;
    private volatile boolean wanted = true;
    private volatile boolean paused = true;
    private volatile boolean resting = true;

    CrashWriter(Random random, Supplier<EmbeddedDatabase> database, String schema) {
        this.random = random;
        this.database = database;
        this.schema = schema;
    }

    @Override
    public void run() {
        while (wanted) {
            resting = paused;
            if (resting) {
                pause(5);
            } else {
                writeOne();
                pause(random.nextInt(4));
            }
        }
        closeConnection();
    }

    void go() {
        paused = false;
    }

    /** Returns when nothing is being written. */
    void rest() {
        paused = true;
        while (!resting) {
            pause(5);
        }
    }

    void end() {
        wanted = false;
    }

    /** The account at the payment's commit, and those that its card had later. */
    List<String> accountsSince(Payment payment) {
        List<String> accounts = accountsByCard.getOrDefault(payment.card(), List.of());
        return accounts.subList(payment.accountIndex(), accounts.size());
    }

    private static void pause(long ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void writeOne() {
        Transaction transaction = new Transaction(nextTransaction++);
        transaction.statements.add("INSERT INTO " + schema + ".ledger VALUES (" + transaction.id + ")");
        int size = 1 + random.nextInt(6);
        for (int i = 0; i < size; i++) {
            addOne(transaction);
        }
        if (random.nextInt(200) == 0 && !accountsByCard.isEmpty()) {
            burst(transaction);
        }
        if (commit(transaction)) {
            transaction.accounts.forEach((card, accounts) ->
                    accountsByCard.computeIfAbsent(card, c -> new ArrayList<>()).addAll(accounts));
            transaction.payments.forEach(payment -> payments.put(payment.id(), payment));
        }
    }

    /** What is about to be committed. */
    private static final class Transaction {
        private final long id;
        private final List<String> statements = new ArrayList<>();
        private final List<Payment> payments = new ArrayList<>();
        /** Accounts that cards get in it. */
        private final Map<Long, List<String>> accounts = new HashMap<>();

        private Transaction(long id) {
            this.id = id;
        }
    }

    private void addOne(Transaction transaction) {
        if (accountsByCard.isEmpty() || nextCard < CARDS_MAX && random.nextInt(4) == 0) {
            newCard(transaction);
            return;
        }
        List<Long> cards = List.copyOf(accountsByCard.keySet());
        long card = cards.get(random.nextInt(cards.size()));
        switch (random.nextInt(12)) {
            case 0 ->
                transaction.statements.add("UPDATE " + schema + ".accounts SET home_country = 'C" + random.nextInt(100)
                        + "' WHERE account_id = '" + accountsByCard.get(card).get(0) + "'");
            case 1 -> {
                String account = newAccount(transaction);
                transaction.statements.add(
                        "UPDATE " + schema + ".cards SET account_id = '" + account + "' WHERE card_id = " + card);
                transaction
                        .accounts
                        .computeIfAbsent(card, c -> new ArrayList<>())
                        .add(account);
            }
            default -> pay(transaction, card);
        }
    }

    private void newCard(Transaction transaction) {
        long card = nextCard++;
        boolean paymentFirst = random.nextInt(3) == 0;
        if (paymentFirst) {
            transaction.accounts.put(card, new ArrayList<>(List.of("")));
            pay(transaction, card);
        }
        String account = newAccount(transaction);
        transaction.statements.add("INSERT INTO " + schema + ".cards VALUES (" + card + ", '" + account + "')");
        transaction.accounts.put(card, new ArrayList<>(List.of(account)));
        pay(transaction, card);
    }

    private String newAccount(Transaction transaction) {
        String account = "a" + nextAccount++;
        transaction.statements.add("INSERT INTO " + schema + ".accounts VALUES ('" + account + "', 'DE')");
        return account;
    }

    private void pay(Transaction transaction, long card) {
        long id = nextPayment++;
        String amount = (1 + random.nextInt(500)) + "." + (10 + random.nextInt(90));
        transaction.statements.add("INSERT INTO " + schema + ".payments VALUES (" + id + ", " + card + ", " + amount
                + ", " + transaction.id + ", timestamptz '2026-01-01 00:00:00Z' + " + id + " * interval '1 ms')");
        transaction.payments.add(new Payment(id, transaction.id, card, accountIndex(transaction, card), amount));
    }

    private int accountIndex(Transaction transaction, long card) {
        return accountsByCard.getOrDefault(card, List.of()).size()
                + transaction.accounts.getOrDefault(card, List.of()).size()
                - 1;
    }

    private void burst(Transaction transaction) {
        long card = accountsByCard.keySet().iterator().next();
        long first = nextPayment;
        nextPayment += BURST;
        transaction.statements.add("INSERT INTO " + schema + ".payments SELECT i, " + card + ", 7.77, " + transaction.id
                + ", timestamptz '2026-01-01 00:00:00Z' + i * interval '1 ms' FROM generate_series(" + first + ", "
                + (nextPayment - 1) + ") i");
        for (long id = first; id < nextPayment; id++) {
            transaction.payments.add(new Payment(id, transaction.id, card, accountIndex(transaction, card), "7.77"));
        }
    }

    /** Whether it is in the database, whatever became of the connection. */
    private boolean commit(Transaction transaction) {
        try {
            Connection open = connection();
            try (Statement statement = open.createStatement()) {
                for (String sql : transaction.statements) {
                    statement.execute(sql);
                }
            }
            open.commit();
            return true;
        } catch (SQLException e) {
            closeConnection();
            return isCommitted(transaction.id);
        }
    }

    private boolean isCommitted(long transaction) {
        while (true) {
            try (Statement statement = connection().createStatement();
                    ResultSet found =
                            statement.executeQuery("SELECT 1 FROM " + schema + ".ledger WHERE id = " + transaction)) {
                boolean committed = found.next();
                connection().rollback();
                return committed;
            } catch (SQLException e) {
                closeConnection();
                pause(100);
            }
        }
    }

    private Connection connection() throws SQLException {
        Connection open = connection;
        if (open == null) {
            open = database.get().connect();
            open.setAutoCommit(false);
            connection = open;
        }
        return open;
    }

    private void closeConnection() {
        if (connection == null) {
            return;
        }
        try {
            connection.close();
        } catch (SQLException e) {
            System.err.println("crash-suite: a lost connection could not be closed: " + e.getMessage());
        }
        connection = null;
    }
}
