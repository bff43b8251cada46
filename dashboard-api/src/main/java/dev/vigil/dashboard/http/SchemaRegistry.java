package dev.vigil.dashboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.dashboard.avro.WriterSchemas;
import dev.vigil.dashboard.intake.EventProblem;
import dev.vigil.dashboard.intake.RegistryConfig;
import dev.vigil.dashboard.intake.RegistryUnavailableException;
import dev.vigil.dashboard.intake.UnreadableValueException;
import dev.vigil.event.Json;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * A schema registry that speaks Confluent's protocol, of which it uses two questions: {@code /schemas/ids/ID}, and
 * {@code /subjects/SUBJECT/versions/VERSION} for what a schema refers to. Follows no redirects. One thread.
 */
public final class SchemaRegistry implements WriterSchemas, AutoCloseable {
    private static final int MAX_BODY_BYTES = 4 << 20;
    private static final int MAX_REFERENCES = 100;
    private static final int NOT_FOUND = 404;
    /** Subject, version or schema that the registry does not have; any other 404 is of somebody else. */
    private static final Set<Integer> UNKNOWN = Set.of(40_401, 40_402, 40_403);

    private final RegistryConfig config;
    private final ExecutorService answers = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "dashboard-schema-registry");
        thread.setDaemon(true);
        return thread;
    });
    private final HttpClient http;

    public SchemaRegistry(RegistryConfig config) {
        this.config = config;
        this.http = HttpClient.newBuilder()
                .connectTimeout(config.timeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(answers)
                .build();
    }

    @Override
    public List<String> schema(int id) {
        JsonNode answer = ask("/schemas/ids/" + Integer.toUnsignedString(id), "schema " + id);
        String type = answer.path("schemaType").asText("AVRO");
        if (!type.equals("AVRO")) {
            throw new UnreadableValueException(
                    EventProblem.UNKNOWN_SCHEMA, "schema " + id + " is of type " + type + "; only AVRO is read");
        }
        List<String> schemas = new ArrayList<>();
        addReferences(answer, schemas, new HashSet<>());
        schemas.add(text(answer));
        return schemas;
    }

    private void addReferences(JsonNode schema, List<String> schemas, Set<String> seen) {
        for (JsonNode reference : schema.path("references")) {
            String subject = reference.path("subject").asText();
            String path = "/subjects/"
                    + URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20") + "/versions/"
                    + reference.path("version").asInt();
            if (seen.add(path)) {
                if (seen.size() > MAX_REFERENCES) {
                    throw new UnreadableValueException(
                            EventProblem.UNKNOWN_SCHEMA,
                            "a schema that refers to more than " + MAX_REFERENCES + " others");
                }
                JsonNode answer = ask(path, "subject " + subject);
                addReferences(answer, schemas, seen);
                schemas.add(text(answer));
            }
        }
    }

    private String text(JsonNode answer) {
        JsonNode schema = answer.path("schema");
        if (!schema.isTextual()) {
            throw unavailable("answers without a schema; is this the address of a schema registry?");
        }
        return schema.asText();
    }

    private JsonNode ask(String path, String what) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(config.url() + path))
                .timeout(config.timeout())
                .header("Accept", "application/vnd.schemaregistry.v1+json, application/json");
        if (config.user() != null) {
            String credentials = config.user() + ":" + config.password();
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
        }
        Body body = new Body();
        int status = send(request.build(), body);
        JsonNode answer = body.json();
        if (status == NOT_FOUND && UNKNOWN.contains(answer.path("error_code").asInt())) {
            throw new UnreadableValueException(EventProblem.UNKNOWN_SCHEMA, what + " is not in the schema registry");
        }
        if (status != 200) {
            throw unavailable("answers " + status + " for " + what);
        }
        return answer;
    }

    private int send(HttpRequest request, Body body) {
        CompletableFuture<HttpResponse<Void>> answer =
                http.sendAsync(request, HttpResponse.BodyHandlers.ofByteArrayConsumer(body));
        try {
            return answer.get(config.timeout().toMillis(), TimeUnit.MILLISECONDS)
                    .statusCode();
        } catch (ExecutionException e) {
            throw new RegistryUnavailableException(
                    place() + " does not answer: " + Objects.requireNonNullElse(e.getCause(), e), e);
        } catch (TimeoutException e) {
            answer.cancel(true);
            throw new RegistryUnavailableException(
                    place() + " does not answer within " + config.timeout().toMillis() + " ms", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new RegistryUnavailableException(place() + ": interrupted while asking", e);
        }
    }

    /** Nothing may be asked any more. */
    @Override
    public void close() {
        answers.shutdownNow();
    }

    private RegistryUnavailableException unavailable(String why) {
        return new RegistryUnavailableException(place() + " " + why);
    }

    private String place() {
        return "the schema registry at " + config.url();
    }

    /** Of an answer, bounded. */
    private static final class Body implements Consumer<Optional<byte[]>> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public synchronized void accept(Optional<byte[]> part) {
            byte[] more = part.orElse(new byte[0]);
            if (bytes.size() + more.length > MAX_BODY_BYTES) {
                throw new IllegalStateException("an answer of more than " + MAX_BODY_BYTES + " bytes");
            }
            bytes.writeBytes(more);
        }

        /** An empty node for what is no JSON. */
        synchronized JsonNode json() {
            try {
                return Json.mapper().readTree(bytes.toByteArray());
            } catch (IOException e) {
                return com.fasterxml.jackson.databind.node.MissingNode.getInstance();
            }
        }
    }
}
