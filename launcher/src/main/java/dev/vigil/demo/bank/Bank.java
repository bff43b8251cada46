package dev.vigil.demo.bank;

import dev.vigil.demo.chance.Dice;
import java.time.Instant;
import java.util.List;

/** The population of the made-up bank: everybody and everything that a payment or a login can name. */
public final class Bank {
    private final BankShape shape;
    private final List<Town> towns;
    private final List<Account> accounts;
    private final Market market;

    private Bank(BankShape shape) {
        Dice dice = new Dice(Dice.hash(shape.seed(), 1));
        this.shape = shape;
        this.towns = Towns.load();
        this.market = Market.open(towns, Math.max(200, shape.accounts() / 10), dice);
        this.accounts = new Holders(towns, dice).open(shape.accounts());
    }

    public static Bank of(BankShape shape) {
        return new Bank(shape);
    }

    /** A currency for all accounts, whatever the country: amounts are what the bank books. */
    public static String currency() {
        return "EUR";
    }

    public BankShape shape() {
        return shape;
    }

    /** In the order of their index. */
    public List<Account> accounts() {
        return accounts;
    }

    public List<Merchant> merchants() {
        return market.merchants();
    }

    /**
     * What account holders bought in the 28 days before {@code end}, so that averages and habits exist when the stream
     * begins. In order of event time, ids 1, 2, 3 …; nothing planted, nothing late.
     */
    public List<Payment> history(Instant end, int paymentsPerAccount) {
        return new History(this).before(end.toEpochMilli(), paymentsPerAccount);
    }

    List<Town> towns() {
        return towns;
    }

    Market market() {
        return market;
    }

    Itinerary itinerary() {
        return new Itinerary(shape.seed(), towns, market);
    }
}
