package dev.vigil.engine.kafka;

import dev.vigil.embedded.EmbeddedKafka;
import dev.vigil.engine.checkpoint.Checkpoints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One broker for all test classes of the JVM, started with the first; each test takes topics of its own. */
final class TestBroker implements BeforeAllCallback, ParameterResolver {
    private record Running(Path directory, EmbeddedKafka kafka) implements AutoCloseable {
        static Running start() {
            try {
                Path directory = Files.createTempDirectory("vigil-test-broker");
                return new Running(directory, EmbeddedKafka.start(directory));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            kafka.close();
            Checkpoints.deleteTree(directory);
        }
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        running(context);
    }

    private static Running running(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(Running.class, key -> Running.start(), Running.class);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == EmbeddedKafka.class;
    }

    @Override
    public EmbeddedKafka resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return running(context).kafka();
    }
}
