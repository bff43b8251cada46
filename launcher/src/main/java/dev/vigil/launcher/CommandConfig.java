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
    private static final Duration TO_CONNECT = Duration.ofSeconds(4);
    /** A broker that listens is there; one that shares its machine with much else takes its time. */
    private static final Duration TO_ANSWER = Duration.ofSeconds(30);

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
     * @throws CommandFailure if nothing listens, within seconds; if nothing answers, within half a minute
     */
    CommandConfig requireBroker() {
        return requireBroker(TO_ANSWER);
    }

    CommandConfig requireBroker(Duration toAnswer) {
        String address = values.kafka().bootstrapServers();
        switch (BrokerCheck.ask(values.kafka(), TO_CONNECT, toAnswer)) {
            case NOTHING_LISTENS ->
                throw new CommandFailure("cannot reach Kafka: nothing listens at " + address
                        + (isOfADemo() ? "; is the demo running?" : " (kafka.bootstrap-servers in " + file + ")"));
            case UNKNOWN_HOST ->
                throw new CommandFailure(String.valueOf(values.unknownHosts().getMessage()));
            case SILENT ->
                throw new CommandFailure("no answer from Kafka within " + toAnswer.toSeconds()
                        + " s, though something listens at " + address + "; if the machine is busy, try again");
            case ANSWERS -> {}
        }
        return this;
    }

    private boolean isOfADemo() {
        return ConfigDocument.readText(file).startsWith(DemoConfigText.FIRST_LINE);
    }
}
