package dev.vigil.alerting.receiver;

/**
 * What a receiver saw.
 *
 * @param accepted genuine messages answered with 2xx
 * @param rejected messages that were not genuine
 * @param refused genuine messages answered otherwise, because the receiver was told to fail
 * @param distinctAlerts alert ids among the accepted
 * @param repeatedAlerts accepted messages whose alert id had been accepted before
 */
public record ReceiverCounts(long accepted, long rejected, long refused, long distinctAlerts, long repeatedAlerts) {}
