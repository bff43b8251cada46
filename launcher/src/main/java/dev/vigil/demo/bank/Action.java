package dev.vigil.demo.bank;

/** Something that the bank records: a payment, a login, or the finding that a payment was fraud. */
public sealed interface Action permits Payment, Login, FraudLabel {
    Delivery delivery();

    /** The account concerned, such as {@code A00042}. */
    String accountId();

    /** The same, delivered otherwise. */
    Action deliveredAs(Delivery other);
}
