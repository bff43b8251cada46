package dev.vigil.demo.bank;

/**
 * One planted case of fraud; all its actions carry it, so that a report can say what was planted and what was found.
 *
 * @param number 1, 2, 3 … in the order of planting, over all scenarios of one stream
 * @param events payments and logins that belong to it; the case is over when so many have happened
 */
public record Incident(Scenario scenario, long number, int events) {}
