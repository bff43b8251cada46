package dev.vigil.demo;

import java.util.Map;

/**
 * What was played so far, counted when PostgreSQL or the intake had accepted it.
 *
 * @param payments rows in {@code transactions}
 * @param labels rows in {@code fraud_labels}
 * @param logins login events accepted by the intake, duplicates included
 * @param duplicates logins that were accepted a second time on purpose
 * @param outOfOrder payments and logins delivered seconds to minutes after they happened
 * @param tooLate payments and logins delivered later than the policy allows
 * @param databaseRetries batches that PostgreSQL failed to take and that were inserted again
 * @param intakeRetries posts that the intake could not take yet and that were sent again
 * @param loginsRefused login events that the intake refused for good
 * @param abandoned actions that were due and not accepted when the player was closed
 * @param planted by scenario code, such as {@code card-testing}
 */
public record TrafficStats(
        long payments,
        long labels,
        long logins,
        long duplicates,
        long outOfOrder,
        long tooLate,
        long databaseRetries,
        long intakeRetries,
        long loginsRefused,
        long abandoned,
        Map<String, Planted> planted) {
    /**
     * @param incidents cases of fraud begun
     * @param events payments and logins that belong to them, honest ones included
     * @param fraudPayments payments that a thief made
     */
    public record Planted(long incidents, long events, long fraudPayments) {}
}
