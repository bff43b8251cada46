package dev.vigil.dashboard;

import dev.vigil.dashboard.http.ApiServer;
import dev.vigil.dashboard.kafka.TailRecord;
import dev.vigil.dashboard.live.AlertFeed;
import dev.vigil.dashboard.live.DeliveryView;
import dev.vigil.dashboard.live.ScoredFeed;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.Json;
import dev.vigil.event.RecordKinds;
import dev.vigil.event.TopicNames;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts records of the topics into the feeds and, as they come, onto the open pages. Called by the tails' threads. */
final class FeedRecords {
    private static final Logger LOG = LoggerFactory.getLogger(FeedRecords.class);

    private final TopicNames topics;
    private final AlertFeed alerts;
    private final ScoredFeed scored;
    private final ApiServer server;

    FeedRecords(TopicNames topics, AlertFeed alerts, ScoredFeed scored, ApiServer server) {
        this.topics = topics;
        this.alerts = alerts;
        this.scored = scored;
        this.server = server;
    }

    void onRecord(TailRecord record) {
        byte[] value = record.value();
        if (value == null) {
            return;
        }
        try {
            if (record.topic().equals(topics.scored())) {
                onScored(record, value);
            } else if (record.topic().equals(topics.alerts())) {
                onAlert(Json.decode(value, Alert.class), record.live());
            } else {
                onDelivery(Json.decode(value, Delivery.class), record.live());
            }
        } catch (RuntimeException e) {
            // Its message may quote the record, which is not for the log.
            LOG.warn(
                    "cannot show the record at {}-{}:{}: {}",
                    record.topic(),
                    record.partition(),
                    record.offset(),
                    e.getClass().getSimpleName());
        }
    }

    private void onScored(TailRecord record, byte[] value) {
        byte[] account = record.key();
        if (account != null && !RecordKinds.SCHEMA.equals(record.kind())) {
            scored.add(account, value);
        }
    }

    private void onAlert(Alert alert, boolean live) {
        alerts.add(alert).filter(added -> live).ifPresent(server::publish);
    }

    private void onDelivery(Delivery delivery, boolean live) {
        DeliveryView view = alerts.add(delivery);
        if (live) {
            server.publish(delivery.alertId(), view);
        }
    }
}
