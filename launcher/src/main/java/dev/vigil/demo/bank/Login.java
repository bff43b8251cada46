package dev.vigil.demo.bank;

/**
 * A try to log in to online banking: an event for the HTTP intake.
 *
 * @param id unique in the bank except for duplicates, which repeat the whole login
 * @param eventTimeMs when it happened, epoch milliseconds
 * @param success whether the password was right
 */
public record Login(
        String id, String accountId, String device, String ip, boolean success, long eventTimeMs, Delivery delivery)
        implements Action {
    @Override
    public Login deliveredAs(Delivery other) {
        return new Login(id, accountId, device, ip, success, eventTimeMs, other);
    }
}
