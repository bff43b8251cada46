package dev.vigil.launcher;

import dev.vigil.cdc.DeclaredFields;
import dev.vigil.event.FieldType;
import dev.vigil.scoring.policy.EventDeclaration;
import dev.vigil.scoring.policy.Policy;
import dev.vigil.scoring.policy.ReferenceDeclaration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a policy expects of captured columns. */
final class PolicyFields {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyFields.class);

    private PolicyFields() {}

    /** Of the configured policy; null where this machine has none, since only an engine needs it. */
    static @Nullable DeclaredFields of(Optional<Path> configured) {
        if (configured.isEmpty()) {
            return null;
        }
        if (!Files.exists(configured.get())) {
            LOG.warn("{} is not here: the types of captured columns are not checked", configured.get());
            return null;
        }
        return of(Deployment.readPolicy(configured.get()));
    }

    static DeclaredFields of(Policy policy) {
        Map<String, Map<String, FieldType>> events =
                policy.events().stream().collect(Collectors.toMap(EventDeclaration::type, EventDeclaration::fields));
        Map<String, Map<String, FieldType>> references = policy.references().stream()
                .collect(Collectors.toMap(ReferenceDeclaration::name, ReferenceDeclaration::fields));
        return new DeclaredFields(
                policy.name() + " version " + policy.version(),
                events,
                references,
                Duration.of(policy.time().maxFutureSkewUs(), ChronoUnit.MICROS));
    }
}
