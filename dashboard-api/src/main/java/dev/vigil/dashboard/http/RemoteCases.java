package dev.vigil.dashboard.http;

import dev.vigil.event.Json;
import dev.vigil.event.cases.AlertCase;
import dev.vigil.event.cases.CaseFilter;
import dev.vigil.event.cases.CasePage;
import dev.vigil.event.cases.Cases;
import dev.vigil.event.cases.CasesUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks alerting in another process, at the address where it also tells its status. */
public final class RemoteCases implements Cases {
    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final URI address;
    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(CONNECT)
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .build();

    /** @param address {@code http://host:port} */
    public RemoteCases(URI address) {
        this.address = address;
    }

    @Override
    public CasePage list(CaseFilter filter) {
        StringBuilder query = new StringBuilder("?limit=" + filter.limit());
        if (filter.open() != null) {
            query.append("&state=").append(filter.open() ? "open" : "closed");
        }
        append(query, "assignee", filter.assignee());
        append(query, "account", filter.account());
        append(query, "rule", filter.rule());
        append(query, "after", filter.after());
        HttpResponse<byte[]> response = ask(CaseRoutes.PATH + query);
        if (response.statusCode() != 200) {
            throw answers(response);
        }
        return decoded(response, CasePage.class);
    }

    private static void append(StringBuilder query, String name, @Nullable String value) {
        if (value != null) {
            query.append('&').append(name).append('=').append(URLEncoder.encode(value, StandardCharsets.UTF_8));
        }
    }

    @Override
    public Optional<AlertCase> find(String caseId) {
        if (!CaseRoutes.ID.matcher(caseId).matches()) {
            return Optional.empty();
        }
        HttpResponse<byte[]> response = ask(CaseRoutes.PATH + "/" + URLEncoder.encode(caseId, StandardCharsets.UTF_8));
        if (response.statusCode() == 200) {
            return Optional.of(decoded(response, AlertCase.class));
        }
        if (response.statusCode() == 404 && CaseRoutes.isGone(problemType(response))) {
            return Optional.empty();
        }
        throw answers(response);
    }

    private HttpResponse<byte[]> ask(String pathAndQuery) {
        HttpRequest request = HttpRequest.newBuilder(address.resolve(pathAndQuery))
                .timeout(TIMEOUT)
                .build();
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofByteArray());
        } catch (HttpConnectTimeoutException | ConnectException e) {
            throw new CasesUnavailableException(
                    "no alerting listens at " + address + ", where dashboard.services has it");
        } catch (HttpTimeoutException e) {
            throw new CasesUnavailableException(
                    "alerting at " + address + " did not answer within " + TIMEOUT.toSeconds() + " s; ask again");
        } catch (IOException e) {
            throw noAnswer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CasesUnavailableException("interrupted while waiting for alerting");
        }
    }

    private <T> T decoded(HttpResponse<byte[]> response, Class<T> type) {
        try {
            return Json.mapper().readValue(response.body(), type);
        } catch (IOException e) {
            throw noAnswer();
        }
    }

    private CasesUnavailableException noAnswer() {
        return new CasesUnavailableException("the answer from " + address + " is not alerting's, or was cut off");
    }

    private static String problemType(HttpResponse<byte[]> response) {
        try {
            return Json.mapper().readTree(response.body()).path("type").asText();
        } catch (IOException e) {
            return "";
        }
    }

    private CasesUnavailableException answers(HttpResponse<byte[]> response) {
        return new CasesUnavailableException("alerting at " + address + " answers " + response.statusCode());
    }
}
