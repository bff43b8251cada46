package dev.vigil.dashboard.http;

import dev.vigil.service.VigilVersion;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The page, its modules and libraries, and the API's document: a fixed list of files in memory, so there is no path to
 * wander off. No script stands in a page itself but the import map, which is allowed by its hash.
 */
final class PageRoutes implements WebServer.Routes {
    private static final Pattern IMPORT_MAP =
            Pattern.compile("<script type=\"importmap\">(.*?)</script>", Pattern.DOTALL);
    private static final List<String> MODULES = List.of(
            "app.js",
            "alerts.js",
            "analyst.js",
            "api.js",
            "caseactions.js",
            "casedetails.js",
            "cases.js",
            "charts.js",
            "deadletters.js",
            "scale.js",
            "explain.js",
            "format.js",
            "knowncases.js",
            "query.js",
            "store.js",
            "system.js",
            "theme.js");

    private final Map<String, Asset> assets = new LinkedHashMap<>();
    private final Asset page = Asset.load("/dev/vigil/dashboard/web/index.html");
    private final Asset docs = Asset.load("/dev/vigil/dashboard/web/docs.html");

    private final List<String> capabilities;
    private final UserNames users;

    /** @param capabilities what this process can do, so that the page offers nothing else */
    PageRoutes(List<String> capabilities, UserNames users) {
        this.capabilities = List.copyOf(capabilities);
        this.users = users;
        own("favicon.svg");
        own("style.css");
        own("docs.js");
        MODULES.forEach(this::own);
        WebLibrary lit = WebLibrary.npm("lit");
        library("lit/index.js", lit, "index.js");
        library("lit/directives/repeat.js", lit, "directives/repeat.js");
        library("lit-element/lit-element.js", WebLibrary.npm("lit-element"), "lit-element.js");
        WebLibrary litHtml = WebLibrary.npm("lit-html");
        for (String file : List.of(
                "lit-html.js", "is-server.js", "directive.js", "directive-helpers.js", "directives/repeat.js")) {
            library("lit-html/" + file, litHtml, file);
        }
        WebLibrary reactiveElement = WebLibrary.npm("lit__reactive-element");
        library("reactive-element/reactive-element.js", reactiveElement, "reactive-element.js");
        library("reactive-element/css-tag.js", reactiveElement, "css-tag.js");
        WebLibrary uplot = WebLibrary.npm("uplot");
        library("uplot/uPlot.esm.js", uplot, "dist/uPlot.esm.js");
        library("uplot/uPlot.min.css", uplot, "dist/uPlot.min.css");
        library("pico/pico.min.css", WebLibrary.npm("picocss__pico"), "css/pico.min.css");
        WebLibrary swagger = new WebLibrary("org.webjars", "swagger-ui");
        library("swagger-ui/swagger-ui.css", swagger, "swagger-ui.css");
        library("swagger-ui/swagger-ui-bundle.js", swagger, "swagger-ui-bundle.js");
    }

    /** @param user who is calling, where a proxy says so */
    record Info(
            String name,
            String version,
            List<String> capabilities,
            @Nullable String user) {}

    private void own(String file) {
        assets.put("/assets/" + file, Asset.load("/dev/vigil/dashboard/web/" + file));
    }

    private void library(String path, WebLibrary library, String file) {
        assets.put("/assets/lib/" + path, library.load(file));
    }

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        page(routes, "/", page, "img-src 'self' data:; style-src 'self'");
        // Swagger UI sets style attributes from its script.
        page(routes, "/docs", docs, "img-src 'self' data:; style-src 'self' 'unsafe-inline'");
        Asset document = Asset.load("/dev/vigil/dashboard/openapi.yaml");
        routes.get("/openapi.yaml", ctx -> send(ctx, document));
        routes.get("/api/v1/openapi.yaml", ctx -> send(ctx, document));
        routes.get("/api/v1/info", ctx -> ApiJson.write(ctx, 200, info(ctx)));
        assets.forEach((path, asset) -> routes.get(path, ctx -> send(ctx, asset)));
    }

    private Info info(Context ctx) {
        return new Info(
                "vigil",
                VigilVersion.current(),
                capabilities,
                users.find(ctx.req()).orElse(null));
    }

    private static void page(JavalinDefaultRoutingApi routes, String path, Asset page, String imagesAndStyles) {
        String policy = "default-src 'none'; script-src 'self'" + importMapHash(page) + "; connect-src 'self'; "
                + imagesAndStyles
                + "; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
        routes.get(path, ctx -> {
            ctx.header("Content-Security-Policy", policy);
            send(ctx, page);
        });
    }

    private static String importMapHash(Asset page) {
        Matcher matcher = IMPORT_MAP.matcher(new String(page.content(), StandardCharsets.UTF_8));
        if (!matcher.find()) {
            return "";
        }
        return " 'sha256-" + Asset.sha256(matcher.group(1).getBytes(StandardCharsets.UTF_8)) + "'";
    }

    /** Asked again each time, answered with the content only when it has changed. */
    private static void send(Context ctx, Asset asset) {
        ctx.header("ETag", asset.etag());
        ctx.header("Cache-Control", "no-cache");
        if (asset.etag().equals(ctx.header("If-None-Match"))) {
            ctx.status(304);
            return;
        }
        ctx.contentType(asset.contentType()).result(asset.content());
    }
}
