package dev.vigil.launcher;

import dev.vigil.config.ConfigDocument;
import dev.vigil.service.kafka.BrokerCheck;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The configuration that a command works with: the named one, else {@code vigil.yaml} here, else the one of a demo. */
record CommandConfig(Path file, VigilConfig values) {
    /** For the help of {@code --config}. */
    static final String DESCRIPTION = "Configuration (default: vigil.yaml, else the demo's vigil-data/vigil.yaml).";

    private static final Path USUAL = Path.of("vigil.yaml");
    private static final Path DEMO = Path.of("vigil-data/vigil.yaml");
    /** With the start of the process, five seconds until the answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    /** @throws dev.vigil.config.ConfigException with file, line, column and field */
    static CommandConfig load(@Nullable Path named) {
        Path file = choose(named);
        return new CommandConfig(file, VigilConfig.load(file, System.getenv()));
    }

    private static Path choose(@Nullable Path named) {
        if (named != null) {
            return named;
        }
        if (Files.exists(USUAL)) {
            return USUAL;
        }
        if (Files.exists(DEMO)) {
            return DEMO;
        }
        throw new CommandFailure("there is neither " + USUAL + " nor the demo's " + DEMO
                + " here; name a configuration with --config, or run 'vigil demo' first");
    }

    /**
     * For commands that ask the broker, before they do: it answers.
     *
     * @throws CommandFailure if it does not, within seconds
     */
    CommandConfig requireBroker() {
        if (!BrokerCheck.answers(values.kafka(), PATIENCE)) {
            throw new CommandFailure("cannot reach Kafka at " + values.kafka().bootstrapServers()
                    + (isOfADemo() ? "; is the demo running?" : " (kafka.bootstrap-servers in " + file + ")"));
        }
        return this;
    }

    private boolean isOfADemo() {
        return ConfigDocument.readText(file).startsWith(DemoConfigText.FIRST_LINE);
    }
}
