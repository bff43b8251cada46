package dev.vigil.demo.bank;

/**
 * The finding, some time after a payment, that it was fraud: a row of the table {@code fraud_labels}.
 *
 * @param paymentId a payment that was delivered before
 * @param labelledAtMs when it was found, epoch milliseconds
 */
public record FraudLabel(long paymentId, String accountId, Scenario scenario, long labelledAtMs, Delivery delivery)
        implements Action {
    @Override
    public FraudLabel deliveredAs(Delivery other) {
        return new FraudLabel(paymentId, accountId, scenario, labelledAtMs, other);
    }
}
