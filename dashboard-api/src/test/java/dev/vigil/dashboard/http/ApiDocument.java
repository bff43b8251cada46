package dev.vigil.dashboard.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The OpenAPI document as the tests hold answers against it. */
final class ApiDocument {
    private static final SchemaRegistry SCHEMAS = SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final JsonNode root;
    private final Map<JsonNode, Schema> compiled = new ConcurrentHashMap<>();

    ApiDocument() {
        try (InputStream in = ApiDocument.class.getResourceAsStream("/dev/vigil/dashboard/openapi.yaml")) {
            this.root = new YAMLMapper().readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As in {@code GET /api/v1/alerts/{id}}. */
    Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        root.path("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .properties()
                        .forEach(method -> operations.add(
                                method.getKey().toUpperCase(java.util.Locale.ROOT) + " " + path.getKey())));
        return operations;
    }

    /** Fails unless the document has this operation with this status, content type and form of body. */
    void requireDocumented(String method, String path, int status, @Nullable String contentType, String body) {
        JsonNode operation = operation(method, path);
        JsonNode response = resolved(operation.path("responses").path(Integer.toString(status)));
        assertThat(response.isObject())
                .as("%s %s answered %d, which is not documented: %s", method, path, status, body)
                .isTrue();
        String type = contentType == null ? "" : contentType.split(";")[0];
        JsonNode schema = response.path("content").path(type).path("schema");
        assertThat(schema.isObject())
                .as("%s %s answered %d as %s, which is not documented", method, path, status, type)
                .isTrue();
        if (type.endsWith("json")) {
            assertThat(compiled(schema).validate(body, InputFormat.JSON))
                    .as("%s %s answered %d: %s", method, path, status, body)
                    .isEmpty();
        }
    }

    private Schema compiled(JsonNode schema) {
        return compiled.computeIfAbsent(schema, node -> {
            ObjectNode whole = node.deepCopy();
            whole.set("components", root.path("components"));
            return SCHEMAS.getSchema(whole);
        });
    }

    private JsonNode operation(String method, String path) {
        Iterator<Map.Entry<String, JsonNode>> paths = root.path("paths").fields();
        while (paths.hasNext()) {
            Map.Entry<String, JsonNode> entry = paths.next();
            String pattern = Pattern.quote(entry.getKey()).replaceAll("\\{[^}]*}", "\\\\E[^/]+\\\\Q");
            if (path.matches(pattern)) {
                JsonNode operation = entry.getValue().path(method.toLowerCase(java.util.Locale.ROOT));
                if (operation.isObject()) {
                    return operation;
                }
            }
        }
        throw new AssertionError(method + " " + path + " is not documented");
    }

    private JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").asText();
        return reference.isEmpty() ? node : root.at(reference.substring(1));
    }
}
