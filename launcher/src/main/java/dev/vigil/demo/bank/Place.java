package dev.vigil.demo.bank;

/** A point on the globe, in degrees. */
public record Place(double latitude, double longitude) {
    private static final double EARTH_RADIUS_KM = 6371.0088;

    public Place {
        if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
            throw new IllegalArgumentException("no place on the globe: " + latitude + ", " + longitude);
        }
    }

    /** Great-circle distance in kilometres. */
    double kilometresTo(Place other) {
        double sinLat = StrictMath.sin(StrictMath.toRadians(other.latitude - latitude) / 2);
        double sinLon = StrictMath.sin(StrictMath.toRadians(other.longitude - longitude) / 2);
        double cosines =
                StrictMath.cos(StrictMath.toRadians(latitude)) * StrictMath.cos(StrictMath.toRadians(other.latitude));
        double h = sinLat * sinLat + cosines * sinLon * sinLon;
        return 2 * EARTH_RADIUS_KM * StrictMath.asin(StrictMath.sqrt(Math.min(1.0, h)));
    }
}
