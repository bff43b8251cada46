package dev.vigil.alerting.endpoints;

import dev.vigil.alerting.ApiEndpointsConfig;
import dev.vigil.alerting.EndpointConfig;
import dev.vigil.alerting.EndpointSet;
import dev.vigil.event.endpoint.EndpointRefusedException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints that there are: those of the configuration, and those that the register has. Whoever follows the register applies
 * its records in order, and nobody else changes anything; reading is for any thread, and never waits.
 */
public final class EndpointDirectory {
    private static final Logger log = LoggerFactory.getLogger(EndpointDirectory.class);

    private final Map<String, EndpointConfig> configured = new LinkedHashMap<>();
    private final EndpointVault vault;
    private final Definitions definitions;
    private volatile State state;

    /**
     * One of the register.
     *
     * @param config with which alerts are chosen, and sent unless there is a problem
     * @param problem why it cannot be used as the configuration is now; absent where it can
     */
    record Stored(
            EndpointRecord record,
            StoredDefinition definition,
            EndpointConfig config,
            @Nullable String problem) {}

    /**
     * Replaced as a whole.
     *
     * @param deletedRevisions last revision by name
     */
    private record State(Map<String, Stored> stored, Map<String, Long> deletedRevisions, EndpointSet set) {}

    public EndpointDirectory(
            List<EndpointConfig> configured, ApiEndpointsConfig limits, EndpointVault vault, HostNames hosts) {
        configured.forEach(endpoint -> this.configured.put(endpoint.name(), endpoint));
        this.vault = vault;
        this.definitions = new Definitions(limits, hosts);
        this.state = state(Map.of(), Map.of());
    }

    /** Another object whenever one is not as it was. */
    public EndpointSet current() {
        return state.set;
    }

    /**
     * Takes the next record of the register.
     *
     * @throws dev.vigil.service.ServiceException if it cannot be decrypted; then all stays as it was
     */
    public void apply(EndpointRecord record) {
        Map<String, Stored> stored = new TreeMap<>(state.stored);
        Map<String, Long> deleted = new TreeMap<>(state.deletedRevisions);
        EndpointRecord.Sealed sealed = record.sealed();
        if (sealed == null) {
            stored.remove(record.name());
            deleted.put(record.name(), record.revision());
        } else {
            stored.put(record.name(), usable(record, vault.open(record.name(), sealed)));
            deleted.remove(record.name());
        }
        state = state(stored, deleted);
    }

    private Stored usable(EndpointRecord record, StoredDefinition definition) {
        try {
            return new Stored(record, definition, definitions.stored(record.name(), definition), null);
        } catch (EndpointRefusedException e) {
            log.warn("endpoint {}: alerts wait for it: {}", record.name(), e.getMessage());
            return new Stored(record, definition, definitions.unusable(record.name(), definition), e.getMessage());
        }
    }

    private State state(Map<String, Stored> stored, Map<String, Long> deleted) {
        List<EndpointConfig> endpoints = new ArrayList<>(configured.values());
        Set<String> paused = new TreeSet<>();
        stored.forEach((name, endpoint) -> {
            if (configured.containsKey(name)) {
                log.warn("endpoint {}: the configuration has one of this name, and that is the one used", name);
                return;
            }
            endpoints.add(endpoint.config);
            if (endpoint.record.paused() || endpoint.problem != null) {
                paused.add(name);
            }
        });
        return new State(stored, deleted, new EndpointSet(endpoints, paused, deleted.keySet()));
    }

    boolean isConfigured(String name) {
        return configured.containsKey(name);
    }

    Collection<EndpointConfig> configured() {
        return configured.values();
    }

    Optional<Stored> find(String name) {
        return Optional.ofNullable(state.stored.get(name));
    }

    /** Those of the register that no endpoint of the configuration hides. */
    List<Stored> stored() {
        return state.stored.values().stream()
                .filter(endpoint -> !configured.containsKey(endpoint.record.name()))
                .toList();
    }

    /** Of the name's next record. */
    long nextRevision(String name) {
        Stored stored = state.stored.get(name);
        return 1 + (stored == null ? state.deletedRevisions.getOrDefault(name, 0L) : stored.record.revision());
    }

    EndpointVault vault() {
        return vault;
    }

    Definitions definitions() {
        return definitions;
    }
}
