package dev.vigil.demo.bank;

import java.time.Instant;
import java.time.ZoneId;

/**
 * A town where account holders live and merchants trade.
 *
 * @param country ISO 3166 alpha-2
 * @param weight how many people live there, relative to the other towns
 */
public record Town(int index, String name, String country, ZoneId zone, Place centre, int weight) {
    /** The hour of the day there, 0 to 23. */
    int localHour(long epochMs) {
        long offsetSeconds =
                zone.getRules().getOffset(Instant.ofEpochMilli(epochMs)).getTotalSeconds();
        return Math.toIntExact(Math.floorMod(Math.floorDiv(epochMs, 1000L) + offsetSeconds, 86_400L) / 3600L);
    }
}
