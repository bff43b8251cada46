package dev.vigil.dashboard.live;

import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last alerts and what became of them; the oldest leave first. An alert that comes again after a crash is the same
 * alert, and a delivery may come before its alert. Thread-safe.
 */
public final class AlertFeed {
    private static final Comparator<AlertView> NEWEST_FIRST = Comparator.<AlertView>comparingLong(
                    view -> view.alert().ingestTimeMs())
            .thenComparing(view -> view.alert().alertId())
            .reversed();

    private final Map<String, Alert> alerts;
    private final Map<String, Map<String, Delivery>> deliveries;

    public AlertFeed(int capacity) {
        this.alerts = bounded(capacity);
        this.deliveries = bounded(capacity);
    }

    /** @return the alert to show as new; empty if it is known already */
    public synchronized Optional<AlertView> add(Alert alert) {
        if (alerts.putIfAbsent(alert.alertId(), alert) != null) {
            return Optional.empty();
        }
        return Optional.of(view(alert));
    }

    /** @return the state of the alert's delivery after this attempt */
    public synchronized DeliveryView add(Delivery delivery) {
        Map<String, Delivery> ofAlert = deliveries.computeIfAbsent(delivery.alertId(), id -> new LinkedHashMap<>());
        String endpoint = delivery.endpoint() == null ? "" : delivery.endpoint();
        ofAlert.merge(endpoint, delivery, (earlier, later) -> later.attempt() >= earlier.attempt() ? later : earlier);
        return DeliveryView.of(ofAlert.values());
    }

    /** Newest first by ingest time. */
    public synchronized List<AlertView> recent(int limit, @Nullable String account) {
        return alerts.values().stream()
                .filter(alert -> account == null || alert.account().equals(account))
                .map(this::view)
                .sorted(NEWEST_FIRST)
                .limit(limit)
                .toList();
    }

    public synchronized Optional<AlertView> find(String alertId) {
        return Optional.ofNullable(alerts.get(alertId)).map(this::view);
    }

    private AlertView view(Alert alert) {
        Map<String, Delivery> ofAlert = deliveries.get(alert.alertId());
        return new AlertView(alert, ofAlert == null ? DeliveryView.PENDING : DeliveryView.of(ofAlert.values()));
    }

    private static <V> Map<String, V> bounded(int capacity) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > capacity;
            }
        };
    }
}
