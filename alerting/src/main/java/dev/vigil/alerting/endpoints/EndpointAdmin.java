package dev.vigil.alerting.endpoints;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.vigil.alerting.AlertFilter;
import dev.vigil.alerting.AlertMessage;
import dev.vigil.alerting.Answer;
import dev.vigil.alerting.Channel;
import dev.vigil.alerting.DeliveryOrder;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.OutboxCounts;
import dev.vigil.event.Json;
import dev.vigil.event.endpoint.EndpointRefusedException;
import dev.vigil.event.endpoint.EndpointRefusedException.Kind;
import dev.vigil.event.endpoint.EndpointTest;
import dev.vigil.event.endpoint.EndpointView;
import dev.vigil.event.endpoint.EndpointWithSecret;
import dev.vigil.event.endpoint.Endpoints;
import dev.vigil.event.endpoint.FailedDeliveries;
import dev.vigil.event.endpoint.Redelivery;
import dev.vigil.service.EpochClock;
import dev.vigil.service.status.AlertingStatus.EndpointStatus;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Answers what the API asks: checks against what there is, stores a record, and returns once it is in force. One change at a time,
 * so that each is decided on what the one before made.
 */
public final class EndpointAdmin implements Endpoints {
    /** More of them would be too many threads and connections for one process. */
    static final int MAX_ENDPOINTS = 500;

    private static final Duration DEFAULT_OVERLAP = Duration.ofDays(1);
    private static final Duration LONGEST_OVERLAP = Duration.ofDays(30);
    private static final int MAX_FORMER_SECRETS = 4;
    private static final int SECRET_BYTES = 32;
    private static final int TESTS_AT_ONCE = 4;
    private static final long TURN_MS = 10_000;

    /** Where records are kept. */
    @FunctionalInterface
    public interface Register {
        /**
         * Returns when the record is stored, and the directory has applied it.
         *
         * @throws EndpointRefusedException if the broker does not take it in time; it may be stored all the same
         */
        void put(EndpointRecord record);
    }

    /** Sends one message to an endpoint, whatever it is like and whoever else sends to it. */
    public interface Probe {
        /** Blocks until there is an answer, or the time-out is over. */
        Answer send(EndpointConfig endpoint, AlertMessage message);

        /** @throws dev.vigil.service.ServiceException if the files that it names cannot be read */
        void requireUsable(EndpointConfig endpoint);
    }

    /** How endpoints are doing. */
    public interface Figures {
        List<EndpointStatus> statuses();

        OutboxCounts counts();
    }

    private final EndpointDirectory directory;
    private final Register register;
    private final Probe probe;
    private final Figures figures;
    private final RedeliveryDesk redeliveries;
    private final EpochClock clock;
    private final SecureRandom random = new SecureRandom();
    private final ReentrantLock turn = new ReentrantLock(true);
    private final Semaphore tests = new Semaphore(TESTS_AT_ONCE);

    public EndpointAdmin(
            EndpointDirectory directory,
            Register register,
            Probe probe,
            Figures figures,
            RedeliveryDesk redeliveries,
            EpochClock clock) {
        this.directory = directory;
        this.register = register;
        this.probe = probe;
        this.figures = figures;
        this.redeliveries = redeliveries;
        this.clock = clock;
    }

    @Override
    public List<EndpointView> list() {
        Map<String, EndpointStatus> statuses = statuses();
        OutboxCounts counts = figures.counts();
        List<EndpointView> views = new ArrayList<>();
        directory.configured().forEach(endpoint -> views.add(view(endpoint, null, statuses, counts)));
        directory.stored().forEach(stored -> views.add(view(stored.config(), stored, statuses, counts)));
        views.sort(Comparator.comparing(EndpointView::name));
        return views;
    }

    @Override
    public EndpointView show(String name) {
        return list().stream()
                .filter(endpoint -> endpoint.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
    }

    @Override
    public EndpointWithSecret create(JsonNode definition, @Nullable String idempotencyKey) {
        return inTurn(() -> {
            requireKey();
            ObjectNode settings = Definitions.settings(definition);
            JsonNode given = settings.remove("name");
            if (given == null || !given.isTextual()) {
                throw Definitions.invalid("name: expected a name for the endpoint");
            }
            String name = given.asText();
            RequestMark mark = RequestMark.of(idempotencyKey, definition);
            EndpointWithSecret earlier = created(name, mark);
            if (earlier != null) {
                return earlier;
            }
            requireFree(name);
            String secret = isWebhook(settings) ? newSecret() : null;
            StoredDefinition stored = new StoredDefinition(
                    settings,
                    secret == null ? List.of() : List.of(new StoredDefinition.Secret(secret, null)),
                    mark,
                    null);
            probe.requireUsable(directory.definitions().checked(name, stored));
            put(name, false, stored);
            return new EndpointWithSecret(view(name), secret);
        });
    }

    /** The answer to the same request that came before; null if it did not. */
    private @Nullable EndpointWithSecret created(String name, @Nullable RequestMark mark) {
        EndpointDirectory.Stored stored = directory.find(name).orElse(null);
        if (stored == null || mark == null || stored.definition().createdBy() == null) {
            return null;
        }
        if (!stored.definition().createdBy().key().equals(mark.key())) {
            return null;
        }
        if (!stored.definition().createdBy().equals(mark)) {
            throw conflict("this idempotency key came before with another definition of endpoint " + name);
        }
        return new EndpointWithSecret(
                view(name), stored.definition().rotatedBy() == null ? secretInUse(stored.definition()) : null);
    }

    private void requireFree(String name) {
        if (directory.isConfigured(name)) {
            throw conflict("endpoint " + name + " is in the configuration; give this one another name");
        }
        if (directory.find(name).isPresent()) {
            throw conflict("there is an endpoint " + name + "; change it, or give this one another name");
        }
        if (directory.stored().size() >= MAX_ENDPOINTS) {
            throw conflict("there are " + MAX_ENDPOINTS + " endpoints, which is as many as there can be");
        }
        long pending = figures.counts().endpoint(name).pending();
        if (pending > 0) {
            throw conflict(pending + " alerts of an endpoint " + name
                    + " that was are still being given up; ask again, or give this one another name");
        }
    }

    @Override
    public EndpointView change(String name, JsonNode changes) {
        return inTurn(() -> {
            EndpointDirectory.Stored stored = changeable(name);
            ObjectNode settings = Definitions.changed(stored.definition().settings(), changes);
            StoredDefinition changed = stored.definition().withSettings(settings);
            probe.requireUsable(directory.definitions().checked(name, changed));
            put(name, stored.record().paused(), changed);
            return view(name);
        });
    }

    @Override
    public EndpointWithSecret rotateSecret(String name, @Nullable Duration overlap, @Nullable String idempotencyKey) {
        return inTurn(() -> {
            EndpointDirectory.Stored stored = changeable(name);
            Duration signing = Objects.requireNonNullElse(overlap, DEFAULT_OVERLAP);
            if (signing.isNegative() || signing.compareTo(LONGEST_OVERLAP) > 0) {
                throw Definitions.invalid("overlap: expected 0s to " + LONGEST_OVERLAP.toDays() + "d, found "
                        + signing.toSeconds() + "s");
            }
            if (!isWebhook(stored.definition().settings())) {
                throw conflict("endpoint " + name + " has no secret of ours, only channel webhook has");
            }
            RequestMark mark = RequestMark.of(
                    idempotencyKey, Json.mapper().createObjectNode().put("overlap", signing.toMillis()));
            RequestMark before = stored.definition().rotatedBy();
            if (mark != null && before != null && before.key().equals(mark.key())) {
                if (!before.equals(mark)) {
                    throw conflict("this idempotency key came before with another overlap");
                }
                return new EndpointWithSecret(view(name), secretInUse(stored.definition()));
            }
            String secret = newSecret();
            long nowMs = clock.epochMs();
            StoredDefinition rotated = stored.definition().rotated(secret, nowMs, nowMs + signing.toMillis(), mark);
            if (rotated.secrets().size() > 1 + MAX_FORMER_SECRETS) {
                throw conflict("endpoint " + name + " still signs with " + MAX_FORMER_SECRETS
                        + " secrets that were replaced; wait until the overlap of one is over");
            }
            put(name, stored.record().paused(), rotated);
            return new EndpointWithSecret(view(name), secret);
        });
    }

    @Override
    public EndpointView pause(String name) {
        return inTurn(() -> paused(name, true));
    }

    @Override
    public EndpointView resume(String name) {
        return inTurn(() -> paused(name, false));
    }

    private EndpointView paused(String name, boolean paused) {
        EndpointDirectory.Stored stored = changeable(name);
        if (stored.record().paused() != paused) {
            put(name, paused, stored.definition());
        }
        return view(name);
    }

    @Override
    public void delete(String name) {
        inTurn(() -> {
            changeable(name);
            register.put(new EndpointRecord(name, directory.nextRevision(name), clock.epochMs(), false, null));
            return name;
        });
    }

    @Override
    public EndpointTest test(String name) {
        EndpointConfig endpoint = directory.current().endpoints().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> unknown(name));
        String problem =
                directory.find(name).map(EndpointDirectory.Stored::problem).orElse(null);
        if (problem != null && !directory.isConfigured(name)) {
            throw conflict(problem);
        }
        if (!tests.tryAcquire()) {
            throw new EndpointRefusedException(Kind.BUSY, "other endpoints are being tested; ask again");
        }
        try {
            AlertMessage message = AlertMessage.test(TestMessage.of(UUID.randomUUID(), clock.epochMs()));
            Answer answer = probe.send(endpoint, message);
            return new EndpointTest(
                    message.alertId(), answer.accepted(), answer.statusCode(), answer.durationMs(), answer.detail());
        } finally {
            tests.release();
        }
    }

    @Override
    public FailedDeliveries failed(@Nullable String endpoint, long fromMs, long toMs, int limit) {
        return redeliveries.failed(endpoint, fromMs, toMs, limit);
    }

    @Override
    public Redelivery redeliver(String name, long fromMs, long toMs, boolean dryRun) {
        EndpointView endpoint = show(name);
        if (endpoint.state().equals("disabled")) {
            throw conflict("endpoint " + name + " answered 410 and gets nothing more until its URL changes");
        }
        return redeliveries.redeliver(
                name, endpoint.order().equals(DeliveryOrder.ACCOUNT.label()), fromMs, toMs, dryRun);
    }

    private void put(String name, boolean paused, StoredDefinition definition) {
        requireKey();
        register.put(new EndpointRecord(
                name,
                directory.nextRevision(name),
                clock.epochMs(),
                paused,
                directory.vault().seal(name, definition)));
    }

    private void requireKey() {
        if (!directory.vault().hasKey()) {
            throw conflict("there is no key to encrypt endpoints with: the configuration needs alerting.endpoint-keys,"
                    + " one with an id and a secret as 'openssl rand -base64 32' makes one");
        }
    }

    private EndpointDirectory.Stored changeable(String name) {
        if (directory.isConfigured(name)) {
            throw conflict("endpoint " + name + " is in the configuration and changes there");
        }
        return directory.find(name).orElseThrow(() -> unknown(name));
    }

    private EndpointView view(String name) {
        EndpointDirectory.Stored stored = directory.find(name).orElseThrow(() -> unknown(name));
        return view(stored.config(), stored, statuses(), figures.counts());
    }

    private Map<String, EndpointStatus> statuses() {
        return figures.statuses().stream().collect(Collectors.toMap(EndpointStatus::name, Function.identity()));
    }

    private EndpointView view(
            EndpointConfig endpoint,
            EndpointDirectory.@Nullable Stored stored,
            Map<String, EndpointStatus> statuses,
            OutboxCounts allCounts) {
        EndpointStatus status = statuses.get(endpoint.name());
        OutboxCounts.EndpointCounts counts = allCounts.endpoint(endpoint.name());
        boolean paused = stored != null && stored.record().paused();
        String problem = stored == null ? null : stored.problem();
        String state = status == null || status.state().equals("not configured") ? "starting" : status.state();
        AlertFilter filter = endpoint.filter();
        return new EndpointView(
                endpoint.name(),
                stored == null ? EndpointView.Origin.CONFIG : EndpointView.Origin.API,
                channel(endpoint),
                endpoint.url().toString(),
                paused,
                paused ? "paused" : state,
                problem != null || status == null ? problem : status.lastProblem(),
                counts.delivered(),
                counts.failedAttempts(),
                counts.givenUp(),
                counts.pending(),
                formerSecrets(endpoint),
                endpoint.connectTimeout().toMillis(),
                endpoint.timeout().toMillis(),
                endpoint.maxInFlight(),
                endpoint.maxPerSecond() == 0 ? null : endpoint.maxPerSecond(),
                filter.decisions().stream().sorted().toList(),
                filter.rules().isEmpty()
                        ? null
                        : filter.rules().stream().sorted().toList(),
                filter.minScore(),
                filter.minAmount(),
                filter.minAmount() == null ? null : filter.amountField(),
                endpoint.order().label());
    }

    private List<Long> formerSecrets(EndpointConfig endpoint) {
        long nowMs = clock.epochMs();
        return endpoint.channel() instanceof Channel.Webhook webhook
                ? webhook.former().stream()
                        .map(Channel.FormerSecret::untilMs)
                        .filter(untilMs -> untilMs > nowMs)
                        .sorted()
                        .toList()
                : List.of();
    }

    private static String channel(EndpointConfig endpoint) {
        if (endpoint.channel() instanceof Channel.Webhook) {
            return "webhook";
        }
        return endpoint.channel() instanceof Channel.PagerDuty ? "pagerduty" : "slack";
    }

    private static boolean isWebhook(JsonNode settings) {
        return settings.path("channel").asText("webhook").equals("webhook");
    }

    private static @Nullable String secretInUse(StoredDefinition definition) {
        return definition.secrets().stream()
                .filter(secret -> secret.untilMs() == null)
                .map(StoredDefinition.Secret::text)
                .findFirst()
                .orElse(null);
    }

    private String newSecret() {
        byte[] bytes = new byte[SECRET_BYTES];
        random.nextBytes(bytes);
        return "whsec_" + Base64.getEncoder().encodeToString(bytes);
    }

    private <T> T inTurn(Supplier<T> change) {
        try {
            if (!turn.tryLock(TURN_MS, TimeUnit.MILLISECONDS)) {
                throw new EndpointRefusedException(Kind.BUSY, "other endpoints are being changed; ask again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EndpointRefusedException(Kind.BUSY, "interrupted while waiting for other changes");
        }
        try {
            return change.get();
        } finally {
            turn.unlock();
        }
    }

    private static EndpointRefusedException conflict(String message) {
        return new EndpointRefusedException(Kind.CONFLICT, message);
    }

    private static EndpointRefusedException unknown(String name) {
        return new EndpointRefusedException(
                Kind.UNKNOWN,
                name.matches("[A-Za-z0-9._-]{1,64}") ? "there is no endpoint " + name : "there is no such endpoint");
    }
}
