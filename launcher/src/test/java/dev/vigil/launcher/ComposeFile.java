package dev.vigil.launcher;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * {@code docker-compose.yml} with anchors merged and variables filled in from {@code .env.example}, as far as this
 * deployment uses what compose files can say.
 */
record ComposeFile(Map<String, Service> services, Set<String> volumes, Set<String> variables) {
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Z_]+)(?::([-?])([^}]*))?}");

    /** A container. */
    record Service(
            String name,
            Map<String, Object> raw,
            String image,
            boolean built,
            List<String> command,
            Map<String, String> environment,
            List<Mount> mounts,
            List<String> ports,
            Map<String, String> dependsOn,
            @Nullable List<String> healthcheck) {
        /** Whether it is one of Vigil's services. */
        boolean isVigil() {
            return built;
        }

        /** The mount that a path in the container lies in; null if it is the container's own. */
        @Nullable
        Mount mountOf(String path) {
            return mounts.stream()
                    .filter(mount -> path.equals(mount.target()) || path.startsWith(mount.target() + "/"))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** A file or a folder of the repository, or a named volume, in a container. */
    record Mount(String source, String target, boolean readOnly) {
        boolean isVolume() {
            return !source.startsWith(".") && !source.startsWith("/");
        }

        static Mount parse(String text) {
            String[] parts = text.split(":", -1);
            return new Mount(parts[0], parts[1], parts.length > 2 && parts[2].equals("ro"));
        }
    }

    static ComposeFile read() {
        Map<String, String> environment = exampleEnvironment();
        Set<String> used = new TreeSet<>();
        Object document =
                new Yaml(new SafeConstructor(new LoaderOptions())).load(Repository.text("docker-compose.yml"));
        Map<String, Object> root = mapping(interpolate(document, environment, used));
        Map<String, Service> services = new LinkedHashMap<>();
        mapping(root.get("services")).forEach((name, service) -> services.put(name, service(name, mapping(service))));
        return new ComposeFile(services, mapping(root.get("volumes")).keySet(), used);
    }

    /** {@code .env.example} as compose reads {@code .env}. */
    static Map<String, String> exampleEnvironment() {
        Map<String, String> environment = new TreeMap<>();
        Repository.text(".env.example")
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line ->
                        environment.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        return environment;
    }

    Service service(ServiceName name) {
        return services.get(name.label());
    }

    private static Service service(String name, Map<String, Object> raw) {
        Map<String, String> environment = new LinkedHashMap<>();
        mapping(raw.get("environment")).forEach((key, value) -> environment.put(key, (String) value));
        Map<String, String> dependsOn = new LinkedHashMap<>();
        mapping(raw.get("depends_on"))
                .forEach((other, how) ->
                        dependsOn.put(other, String.valueOf(mapping(how).get("condition"))));
        Object test = mapping(raw.get("healthcheck")).get("test");
        return new Service(
                name,
                raw,
                String.valueOf(raw.get("image")),
                raw.containsKey("build"),
                texts(raw.get("command")),
                environment,
                texts(raw.get("volumes")).stream().map(Mount::parse).toList(),
                texts(raw.get("ports")),
                dependsOn,
                test == null ? null : texts(test));
    }

    private static @Nullable Object interpolate(
            @Nullable Object node, Map<String, String> environment, Set<String> used) {
        if (node instanceof Map<?, ?> map) {
            Map<Object, @Nullable Object> result = new LinkedHashMap<>();
            map.forEach((key, value) -> result.put(key, interpolate(value, environment, used)));
            return result;
        }
        if (node instanceof List<?> list) {
            List<@Nullable Object> result = new ArrayList<>();
            list.forEach(item -> result.add(interpolate(item, environment, used)));
            return result;
        }
        return node instanceof String text ? interpolate(text, environment, used) : node;
    }

    private static String interpolate(String text, Map<String, String> environment, Set<String> used) {
        return VARIABLE.matcher(text).replaceAll(match -> {
            used.add(match.group(1));
            String value = environment.get(match.group(1));
            if (value == null && "-".equals(match.group(2))) {
                value = match.group(3);
            }
            if (value == null) {
                throw new IllegalStateException(".env.example has no " + match.group(1));
            }
            return Matcher.quoteReplacement(value);
        });
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> mapping(@Nullable Object node) {
        return node == null ? Map.of() : (Map<String, Object>) node;
    }

    @SuppressWarnings("unchecked")
    private static List<String> texts(@Nullable Object node) {
        return node == null ? List.of() : (List<String>) node;
    }
}
