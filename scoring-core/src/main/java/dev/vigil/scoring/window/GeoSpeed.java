package dev.vigil.scoring.window;

import dev.vigil.event.FieldType;
import dev.vigil.scoring.state.EventLayout;
import dev.vigil.scoring.state.StoredEvent;
import java.util.List;

/** Speed between two events along the great circle. */
final class GeoSpeed {
    private static final EventLayout.Field LAT = new EventLayout.Field("lat", FieldType.DOUBLE);
    private static final EventLayout.Field LON = new EventLayout.Field("lon", FieldType.DOUBLE);

    /** Mean earth radius R1 of IUGG, km; distances are within 0.56 % of the ellipsoid's. */
    private static final double EARTH_RADIUS_KM = 6371.0088;

    private static final double US_PER_HOUR = 3_600_000_000.0;
    private static final long SHORTEST_US = 1_000_000;

    static final List<EventLayout.Field> FIELDS = List.of(LAT, LON);

    private final int lat;
    private final int lon;

    GeoSpeed(EventLayout layout) {
        lat = layout.slot(layout.indexOf(LAT));
        lon = layout.slot(layout.indexOf(LON));
    }

    /** Whether the event has both coordinates; (0, 0) is what senders write for none. */
    boolean hasPlace(StoredEvent event) {
        return event.hasNumber(lat)
                && event.hasNumber(lon)
                && (event.doubleValue(lat) != 0.0 || event.doubleValue(lon) != 0.0);
    }

    /** {@code lat,lon} in degrees. */
    String text(StoredEvent event) {
        return event.doubleValue(lat) + "," + event.doubleValue(lon);
    }

    double kmPerHour(StoredEvent from, StoredEvent to) {
        double km = kilometres(from.doubleValue(lat), from.doubleValue(lon), to.doubleValue(lat), to.doubleValue(lon));
        return km * US_PER_HOUR / Math.max(SHORTEST_US, to.timeUs() - from.timeUs());
    }

    /** Haversine distance, degrees in, kilometres out; clamped, so that antipodes give no NaN. */
    static double kilometres(double lat1, double lon1, double lat2, double lon2) {
        double sinLat = StrictMath.sin(StrictMath.toRadians(lat2 - lat1) / 2);
        double sinLon = StrictMath.sin(StrictMath.toRadians(lon2 - lon1) / 2);
        double a = sinLat * sinLat
                + StrictMath.cos(StrictMath.toRadians(lat1))
                        * StrictMath.cos(StrictMath.toRadians(lat2))
                        * sinLon
                        * sinLon;
        return 2 * EARTH_RADIUS_KM * StrictMath.asin(Math.sqrt(Math.min(1.0, a)));
    }
}
