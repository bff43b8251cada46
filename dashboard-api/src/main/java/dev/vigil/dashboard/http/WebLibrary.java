package dev.vigil.dashboard.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** A JavaScript or CSS library from its web jar, whatever version the build took. */
record WebLibrary(String group, String artifact) {
    static WebLibrary npm(String artifact) {
        return new WebLibrary("org.webjars.npm", artifact);
    }

    Asset load(String file) {
        return Asset.load("/META-INF/resources/webjars/" + artifact + "/" + version() + "/" + file);
    }

    private String version() {
        String resource = "/META-INF/maven/" + group + "/" + artifact + "/pom.properties";
        try (InputStream in = WebLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("the class path has no " + resource);
            }
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
