package dev.vigil.cdc;

/**
 * What capture keeps of a row of a reference or lookup table: enough to answer lookups, to name the account that a changed or
 * deleted row leaves, and to fill in what the database does not log again.
 *
 * @param link the row's account or, where that stands in yet another row, the identity of that row
 * @param data the published fields as JSON; empty for a lookup table
 */
public record RememberedRow(String link, byte[] data) {}
