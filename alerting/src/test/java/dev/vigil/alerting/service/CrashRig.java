package dev.vigil.alerting.service;

import dev.vigil.alerting.AlertingConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.TestAlerts;
import dev.vigil.alerting.WebhookSecret;
import dev.vigil.alerting.receiver.ReceivedAlert;
import dev.vigil.alerting.receiver.ReceiverAnswer;
import dev.vigil.alerting.receiver.WebhookReceiver;
import dev.vigil.embedded.EmbeddedKafkaProcess;
import dev.vigil.event.Alert;
import dev.vigil.event.Delivery;
import dev.vigil.event.EventEnvelope;
import dev.vigil.event.EventTimes;
import dev.vigil.event.Json;
import dev.vigil.event.TopicNames;
import dev.vigil.service.kafka.KafkaConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Two instances in processes of their own with a disk each, a receiver that counts, and beside them an undisturbed instance that
 * reads the same alerts and actions and has topics and a receiver of its own.
 */
final class CrashRig implements AutoCloseable {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String PREFIX = "crash";
    private static final String UNDISTURBED = "undisturbed";
    private static final int INSTANCES = 2;
    private static final int ACCOUNTS = 40;
    private static final int ALERTS_PER_ACTION = 20;
    private static final Duration COOLDOWN = Duration.ofMinutes(5);
    /** So that something is under way at most moments. */
    private static final Duration ANSWER = Duration.ofMillis(20);

    private static final long WAIT_MS = 90_000;
    /** Attempts under way of the endpoint, and what was accepted and not reported when an instance lost its lease. */
    private static final long REPEATS_MAX = 16 + 16;

    private final EmbeddedKafkaProcess broker;
    private final Path directory;
    private final Random random;
    private final AlertsTopic topic;
    private final WebhookReceiver receiver;
    private final WebhookReceiver undisturbedReceiver;
    private final Alerting undisturbed;
    private final CaseWork caseWork;
    private final Process[] instances = new Process[INSTANCES];
    private final Map<String, Long> received = new ConcurrentHashMap<>();
    private final Set<String> undisturbedIds = ConcurrentHashMap.newKeySet();
    /** Of each position of the log, the ids of alert and case under which its alert came, anywhere; one, if all is well. */
    private final Map<String, Set<String>> idsByPosition = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable Runnable> atNextMessage = new AtomicReference<>();
    private final AtomicLong messageCount = new AtomicLong();
    private final long[] offsets = new long[2];
    private volatile boolean refusing;
    private long eventTimeUs = EventTimes.parse("2026-03-01T12:00:00Z");
    private long alertCount;
    private long repeatsBefore;
    private long repeatsAtWorst;
    private long suppressedCount;
    private long labelCount;

    private CrashRig(EmbeddedKafkaProcess broker, Path directory, Random random) {
        this.broker = broker;
        this.directory = directory;
        this.random = random;
        this.topic = new AlertsTopic(broker.bootstrapServers(), PREFIX);
        WebhookSecret secret = new WebhookSecret(SECRET);
        this.receiver = WebhookReceiver.start(0, secret, Clock.systemUTC()::millis, this::received);
        receiver.answerWith(this::answer);
        this.undisturbedReceiver =
                WebhookReceiver.start(0, secret, Clock.systemUTC()::millis, this::receivedUndisturbed);
        KafkaConfig shared = topic.kafka();
        this.undisturbed = new Alerting(
                new KafkaConfig(
                        shared.bootstrapServers(),
                        new TopicNames(
                                UNDISTURBED,
                                Map.of(
                                        "alerts", shared.topics().alerts(),
                                        "case-actions", shared.topics().caseActions())),
                        shared.partitions(),
                        (short) 1,
                        (short) 1,
                        shared.retention(),
                        Map.of()),
                AlertingConfig.of(EndpointConfig.ofPrivate("receiver", undisturbedReceiver.url(), secret)),
                directory.resolve(UNDISTURBED),
                Clock.systemUTC()::millis,
                new SimpleMeterRegistry());
        this.caseWork = new CaseWork(topic, undisturbed, random);
    }

    static CrashRig start(EmbeddedKafkaProcess broker, Path directory, Random random) throws Exception {
        CrashRig rig = new CrashRig(broker, directory, random);
        rig.undisturbed.start();
        for (int i = 0; i < INSTANCES; i++) {
            rig.launch(i);
        }
        rig.put(20);
        rig.settle();
        return rig;
    }

    private void launch(int instance) throws IOException {
        instances[instance] = AlertingProcess.start(topic.kafka(), disk(instance), receiver.url(), SECRET);
    }

    private Path disk(int instance) {
        return directory.resolve("instance-" + instance);
    }

    private ReceiverAnswer answer(Alert alert) {
        Runnable once = atNextMessage.getAndSet(null);
        if (once != null) {
            once.run();
        }
        boolean fails = refusing || messageCount.incrementAndGet() % 29 == 0;
        return (fails ? ReceiverAnswer.status(503) : ReceiverAnswer.ACCEPT).after(ANSWER);
    }

    private void received(ReceivedAlert message) {
        received.merge(message.alert().alertId(), 1L, Long::sum);
        noteIds(message);
    }

    private void receivedUndisturbed(ReceivedAlert message) {
        undisturbedIds.add(message.alert().alertId());
        noteIds(message);
        caseWork.sent(message);
    }

    private void noteIds(ReceivedAlert message) {
        Alert alert = message.alert();
        idsByPosition
                .computeIfAbsent(String.valueOf(alert.position()), position -> ConcurrentHashMap.newKeySet())
                .add(alert.alertId() + " of case " + message.caseId());
    }

    /** Under traffic; returns when everything is as undisturbed. */
    void disturb(Disturbance disturbance) throws Exception {
        put(random.nextInt(100));
        int holder = holder();
        int other = 1 - holder;
        switch (disturbance) {
            case KILL -> {
                put(50 + random.nextInt(100));
                Thread.sleep(random.nextInt(50));
                kill(holder);
                put(20);
                launch(holder);
            }
            case KILL_BEFORE_SEND -> {
                pause(holder);
                put(50);
                kill(holder);
                launch(holder);
            }
            case KILL_BETWEEN_SEND_AND_RECORD -> {
                Process process = instances[holder];
                atNextMessage.set(() -> process.destroyForcibly());
                put(50);
                await("the killed instance to end", () -> !process.isAlive());
                launch(holder);
            }
            case TAKE_OVER -> {
                put(100);
                kill(holder);
                put(50);
                await("a take-over", this::isAsUndisturbed);
                launch(holder);
            }
            case KILL_IN_HAND_OVER -> {
                put(100);
                instances[holder].toHandle().destroy();
                instances[holder].waitFor();
                Thread.sleep(random.nextInt(1_500));
                kill(other);
                put(20);
                launch(other);
                launch(holder);
            }
            case ZOMBIE -> {
                put(100);
                pause(holder);
                put(50);
                await("a take-over", this::isAsUndisturbed);
                signal("-CONT", holder);
                put(50);
            }
            case LOSE_DISK -> {
                put(100);
                kill(holder);
                CrashSuite.deleteTree(disk(holder));
                launch(holder);
            }
            case KILL_WHILE_RECEIVER_IS_DOWN -> {
                refusing = true;
                put(50);
                Thread.sleep(random.nextInt(1_000));
                kill(holder);
                launch(holder);
                put(50);
                Thread.sleep(1_000);
                refusing = false;
            }
            case RESTART_BROKER -> {
                put(50);
                broker.kill();
                Thread.sleep(random.nextInt(3_000));
                broker.restart();
                put(50);
            }
        }
        settle();
    }

    /** Which instance the receiver hears from: the one whose pause stops the deliveries. */
    private int holder() throws Exception {
        for (int candidate = 0; ; candidate = 1 - candidate) {
            requireAlive();
            pause(candidate);
            int before = received.size();
            try {
                put(5);
                long endMs = System.currentTimeMillis() + 1_000;
                while (System.currentTimeMillis() < endMs && received.size() == before) {
                    Thread.sleep(20);
                }
            } finally {
                signal("-CONT", candidate);
            }
            if (received.size() == before && !isAsUndisturbed()) {
                settle();
                return candidate;
            }
            settle();
        }
    }

    private void requireAlive() {
        for (Process instance : instances) {
            if (!instance.isAlive()) {
                throw new AssertionError("an instance ended by itself with status " + instance.exitValue());
            }
        }
    }

    private void kill(int instance) throws InterruptedException {
        instances[instance].destroyForcibly().waitFor();
    }

    private void pause(int instance) throws IOException, InterruptedException {
        signal("-STOP", instance);
    }

    private void signal(String signal, int instance) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", signal, Long.toString(instances[instance].pid())).start();
        if (kill.waitFor() != 0) {
            throw new AssertionError("kill " + signal + " did not work");
        }
    }

    /** Alerts of few accounts, some out of order, with a cooldown: most are suppressed now and then. */
    private void put(int count) throws Exception {
        for (int i = 0; i < count; i++) {
            int account = random.nextInt(ACCOUNTS);
            int partition = account % 2;
            eventTimeUs += random.nextInt(8_000_000);
            long timeUs = eventTimeUs - (random.nextInt(10) == 0 ? random.nextInt(600) * 1_000_000L : 0);
            topic.put(TestAlerts.at(offsets[partition]++)
                    .inPartition(partition)
                    .of("acc-" + account)
                    .eventTime(EventTimes.format(timeUs))
                    .ingestedAt(System.currentTimeMillis())
                    .coolingFor(account % 4 == 0 ? Duration.ZERO : COOLDOWN));
            alertCount++;
            if (random.nextInt(ALERTS_PER_ACTION) == 0) {
                caseWork.act(alertCount, eventTimeUs);
            }
        }
    }

    private boolean isAsUndisturbed() {
        return undisturbed.status().alerts() == alertCount
                && undisturbed.status().pending() == 0
                && received.keySet().containsAll(undisturbedIds);
    }

    /** Waits until all is delivered and reported, and compares. */
    private void settle() throws Exception {
        await("what the undisturbed instance delivered", this::isAsUndisturbed);
        AtomicReference<String> difference = new AtomicReference<>("");
        try {
            await("the reports", () -> {
                difference.set(reportsDiffer());
                return difference.get().isEmpty();
            });
        } catch (AssertionError e) {
            throw new AssertionError(e.getMessage() + ": " + difference.get(), e);
        }
        Set<String> tooMany = received.keySet().stream()
                .filter(id -> !undisturbedIds.contains(id))
                .collect(Collectors.toSet());
        require(tooMany.isEmpty(), "delivered though the undisturbed instance suppressed them: " + tooMany);
        List<Set<String>> twoIds =
                idsByPosition.values().stream().filter(ids -> ids.size() > 1).toList();
        require(twoIds.isEmpty(), "alerts with two ids: " + twoIds);
        require(receiver.counts().rejected() == 0, "the receiver found a message that is not genuine");
        long repeats = receiver.counts().repeatedAlerts() - repeatsBefore;
        repeatsBefore += repeats;
        repeatsAtWorst = Math.max(repeatsAtWorst, repeats);
        require(repeats <= REPEATS_MAX, repeats + " repeats, more than were under way");
    }

    private String reportsDiffer() {
        Set<String> delivered = ConcurrentHashMap.newKeySet();
        for (Delivery report : topic.deliveries()) {
            switch (report.outcome()) {
                case DELIVERED -> delivered.add(report.alertId());
                case SUPPRESSED -> {
                    // Compared with the undisturbed one's below.
                }
                case GIVEN_UP -> {
                    return "given up: " + report.alertId();
                }
                default -> {
                    // An attempt that failed says nothing about the end.
                }
            }
        }
        Set<String> suppressed = suppressions(PREFIX);
        Set<String> undisturbedSuppressed = suppressions(UNDISTURBED);
        suppressedCount = suppressed.size();
        if (!suppressed.equals(undisturbedSuppressed)) {
            return "suppressed otherwise than undisturbed: " + difference(suppressed, undisturbedSuppressed);
        }
        Set<String> labels = labels(PREFIX);
        labelCount = labels.size();
        if (!labels.equals(labels(UNDISTURBED))) {
            return "labelled otherwise than undisturbed: " + difference(labels, labels(UNDISTURBED));
        }
        if (!delivered.equals(undisturbedIds)) {
            return delivered.size() + " reported as delivered, expected " + undisturbedIds.size();
        }
        if (delivered.size() + suppressed.size() != alertCount) {
            return delivered.size() + " delivered and " + suppressed.size() + " suppressed of " + alertCount;
        }
        return "";
    }

    /** Each alert with the reason and its case. */
    private Set<String> suppressions(String prefix) {
        return topic.records(new TopicNames(prefix).deliveries()).stream()
                .map(record -> Json.decode(record.value(), Delivery.class))
                .filter(report -> report.outcome() == Delivery.Outcome.SUPPRESSED)
                .map(report -> report.alertId() + " by " + report.detail())
                .collect(Collectors.toSet());
    }

    private Set<String> labels(String prefix) {
        return topic.records(new TopicNames(prefix).events()).stream()
                .map(record -> new String(
                        record.headers().lastHeader(EventEnvelope.ID_HEADER).value(), StandardCharsets.UTF_8))
                .collect(Collectors.toSet());
    }

    private static String difference(Set<String> found, Set<String> expected) {
        String tooMany =
                found.stream().filter(one -> !expected.contains(one)).limit(3).collect(Collectors.joining(", "));
        String missing =
                expected.stream().filter(one -> !found.contains(one)).limit(3).collect(Collectors.joining(", "));
        return "too many [" + tooMany + "], missing [" + missing + "]";
    }

    private void await(String what, BooleanSupplier condition) throws InterruptedException {
        long endMs = System.currentTimeMillis() + WAIT_MS;
        while (!condition.getAsBoolean()) {
            if (System.currentTimeMillis() > endMs) {
                throw new AssertionError("waited in vain for " + what + "; " + figures() + ", " + undisturbedIds.size()
                        + " by the undisturbed instance");
            }
            Thread.sleep(50);
        }
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }

    void requireTested() {
        require(
                suppressedCount > 0 && repeatsBefore > 0 && labelCount > 0,
                "this tested nothing: expected suppressed alerts, repeats and labels, found " + figures());
    }

    String figures() {
        return alertCount + " alerts; " + received.size() + " delivered, " + suppressedCount + " suppressed; "
                + caseWork.actionCount() + " actions on cases, " + labelCount + " labels; "
                + repeatsBefore + " repeats, " + repeatsAtWorst + " at worst, of " + REPEATS_MAX + " allowed";
    }

    /** When the suite ends before its time: leaves no process behind. */
    void endProcesses() {
        for (Process instance : instances) {
            if (instance != null) {
                instance.destroyForcibly();
            }
        }
        if (broker.isAlive()) {
            broker.kill();
        }
    }

    @Override
    public void close() throws Exception {
        for (Process instance : instances) {
            instance.destroyForcibly().waitFor(10, TimeUnit.SECONDS);
        }
        undisturbed.close();
        topic.close();
        receiver.close();
        undisturbedReceiver.close();
    }
}
