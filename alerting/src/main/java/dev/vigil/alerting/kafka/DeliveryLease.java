package dev.vigil.alerting.kafka;

import dev.vigil.service.ServiceException;
import dev.vigil.service.kafka.KafkaClients;
import dev.vigil.service.kafka.KafkaConfig;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.RetriableCommitFailedException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which instance delivers: one of those that were started. It is the member of a consumer group to whom the only partition of the
 * register of endpoints is assigned; nothing is read by way of it. Every second the holder commits, which the broker refuses
 * whoever is no longer that member, so that a process which was paused does not go on beside the one that took over. What it commits
 * is who it is: its successor sees whether somebody else delivered since.
 *
 * <p>The members are static: who is started again under the same id within the time-out has the lease at once. While the
 * broker does not answer, the holder goes on, as nobody can take over then either. One thread uses it, but for {@link #isHeld} and
 * {@link #wakeUp}.
 */
public final class DeliveryLease implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(DeliveryLease.class);
    private static final Duration STANDING_BY = Duration.ofSeconds(1);
    private static final Duration ANSWER = Duration.ofSeconds(5);
    private static final long RENEW_NS = 1_000_000_000L;
    private static final long UNREACHABLE_NS = 3_000_000_000L;
    private static final long NEVER = Long.MIN_VALUE;

    private final String instanceId;
    private final long lastsNs;
    private final TopicPartition partition;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private volatile boolean assigned;
    private volatile long confirmedNs = NEVER;
    /** Since when no renewal was answered. */
    private volatile long unreachableNs = NEVER;

    private long askedNs = NEVER;
    private @Nullable String predecessor;
    private @Nullable RuntimeException refusal;

    /**
     * @param instanceId the same after a restart of this instance, and of no other
     * @param lasts how long after the last sign of life of the holder another takes over
     */
    public DeliveryLease(KafkaConfig kafka, String instanceId, Duration lasts) {
        this.instanceId = instanceId;
        this.lastsNs = lasts.toNanos();
        this.partition = new TopicPartition(kafka.topics().endpoints(), 0);
        this.consumer = KafkaClients.consumer(
                kafka,
                "vigil-alerting-lease",
                Map.of(
                        ConsumerConfig.GROUP_ID_CONFIG,
                        kafka.topics().prefix() + "-alerting",
                        ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
                        instanceId,
                        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
                        CooperativeStickyAssignor.class.getName(),
                        ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
                        Math.toIntExact(lasts.toMillis()),
                        ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
                        1_000));
        consumer.subscribe(Set.of(partition.topic()), new Assignment());
    }

    private final class Assignment implements ConsumerRebalanceListener {
        @Override
        public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (partitions.contains(partition)) {
                consumer.seek(partition, 0);
                consumer.pause(Set.of(partition));
                assigned = true;
            }
        }

        @Override
        public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            if (partitions.contains(partition)) {
                lose();
            }
        }
    }

    private void lose() {
        assigned = false;
        confirmedNs = NEVER;
        unreachableNs = NEVER;
    }

    /**
     * Asks for the lease, or renews it; while another has it, waits for up to a second.
     *
     * @return whether this instance is the one that delivers
     * @throws ServiceException if another process runs under the same id, or the broker refuses for good
     */
    public boolean renew() {
        try {
            consumer.poll(assigned ? Duration.ZERO : STANDING_BY);
            if (refusal != null) {
                throw refusal;
            }
            if (!assigned) {
                return false;
            }
            if (confirmedNs == NEVER) {
                return acquire();
            }
            long nowNs = System.nanoTime();
            if (nowNs - askedNs >= RENEW_NS) {
                askedNs = nowNs;
                consumer.commitAsync(mine(), (offsets, e) -> answered(nowNs, e));
            }
            return isHeld();
        } catch (WakeupException e) {
            return isHeld();
        } catch (FencedInstanceIdException e) {
            throw new ServiceException(
                    "alerting: another process delivers under the id of this outbox; a copy of its directory, it seems",
                    e);
        } catch (KafkaException e) {
            throw new ServiceException("alerting: which instance delivers cannot be agreed: " + e.getMessage(), e);
        }
    }

    private boolean acquire() {
        Optional<OffsetAndMetadata> last = Optional.ofNullable(
                consumer.committed(Set.of(partition), ANSWER).get(partition));
        long nowNs = System.nanoTime();
        try {
            consumer.commitSync(mine(), ANSWER);
        } catch (RebalanceInProgressException | CommitFailedException e) {
            // The next poll joins again.
            return false;
        }
        predecessor = last.map(OffsetAndMetadata::metadata)
                .filter(id -> !id.isEmpty())
                .orElse(null);
        askedNs = nowNs;
        confirmedNs = nowNs;
        return true;
    }

    private Map<TopicPartition, OffsetAndMetadata> mine() {
        return Map.of(partition, new OffsetAndMetadata(0, instanceId));
    }

    private void answered(long askedAtNs, @Nullable Exception e) {
        if (e == null) {
            confirmedNs = askedAtNs;
            unreachableNs = NEVER;
        } else if (e instanceof FencedInstanceIdException fenced) {
            lose();
            refusal = fenced;
        } else if (e instanceof RetriableCommitFailedException) {
            if (unreachableNs == NEVER) {
                unreachableNs = askedAtNs;
                log.debug("the lease cannot be renewed for now", e);
            }
        } else if (!(e instanceof RebalanceInProgressException)) {
            // No member any more: the next poll joins again.
            confirmedNs = NEVER;
        }
    }

    /** Who delivered before this instance got the lease, which may be this one; null: nobody ever. */
    public @Nullable String predecessor() {
        return predecessor;
    }

    /** Whether this instance may begin an attempt now. From any thread. */
    public boolean isHeld() {
        long confirmed = confirmedNs;
        if (!assigned || confirmed == NEVER) {
            return false;
        }
        long nowNs = System.nanoTime();
        long unreachable = unreachableNs;
        return nowNs - confirmed < lastsNs || unreachable != NEVER && nowNs - unreachable > UNREACHABLE_NS;
    }

    /** Ends a wait; from any thread. */
    public void wakeUp() {
        consumer.wakeup();
    }

    /** Gives the lease away: one that stands by need not wait for the time-out. */
    @Override
    public void close() {
        consumer.close(
                CloseOptions.timeout(STANDING_BY).withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP));
    }
}
