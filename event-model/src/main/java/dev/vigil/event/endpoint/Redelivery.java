package dev.vigil.event.endpoint;

/**
 * What came of a request to deliver again what was given up.
 *
 * @param dryRun nothing was done, {@code found} tells what would be
 * @param found deliveries that were given up and not accepted since
 * @param queued of them that go out again
 * @param waiting of them that an earlier request has sent on their way
 * @param gone of them whose alert the topic of alerts no longer has
 */
public record Redelivery(String endpoint, boolean dryRun, int found, int queued, int waiting, int gone) {}
