package dev.vigil.demo.bank;

import java.util.Locale;

/** What a merchant sells, and so what a purchase there usually costs. */
public enum Category {
    GROCERIES(24, 0.9, 0.50, Sold.IN_SHOPS),
    RESTAURANT(18, 0.8, 0.45, Sold.IN_SHOPS),
    FUEL(9, 1.4, 0.25, Sold.IN_SHOPS),
    PHARMACY(7, 0.6, 0.50, Sold.IN_SHOPS),
    CLOTHING(8, 1.5, 0.45, Sold.IN_SHOPS),
    TRANSPORT(10, 0.25, 0.50, Sold.IN_SHOPS),
    ELECTRONICS(2, 2.2, 0.45, Sold.ANYWHERE),
    JEWELLERY(1, 2.4, 0.45, Sold.ANYWHERE),
    DIGITAL(10, 0.4, 0.40, Sold.ONLINE),
    GENERAL(16, 1.0, 0.55, Sold.ONLINE),
    TRAVEL(2, 2.6, 0.40, Sold.ONLINE),
    GIFT_CARDS(2, 1.2, 0.35, Sold.ONLINE);

    enum Sold {
        IN_SHOPS,
        ONLINE,
        ANYWHERE
    }

    private final double share;
    private final double factor;
    private final double sigma;
    private final Sold sold;

    Category(double share, double factor, double sigma, Sold sold) {
        this.share = share;
        this.factor = factor;
        this.sigma = sigma;
        this.sold = sold;
    }

    /** The name in rows and events, such as {@code gift_cards}. */
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** How often it is bought, relative to the others. */
    double share() {
        return share;
    }

    /** The mean price of a purchase, as a multiple of what the account holder typically spends. */
    double factor() {
        return factor;
    }

    /** The scatter of the price: standard deviation of its logarithm. */
    double sigma() {
        return sigma;
    }

    boolean isSoldInShops() {
        return sold != Sold.ONLINE;
    }

    boolean isSoldOnline() {
        return sold != Sold.IN_SHOPS;
    }

    /** Whether thieves like it, because it is easily turned into money. */
    boolean isEasilyResold() {
        return this == ELECTRONICS || this == JEWELLERY || this == GIFT_CARDS;
    }
}
