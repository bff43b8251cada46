package dev.vigil.dashboard.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.vigil.event.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Asks a server over a real socket, and holds every answer against the OpenAPI document. */
final class ApiClient {
    private static final ApiDocument DOCUMENT = new ApiDocument();

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(5))
            .build();
    private final String url;

    ApiClient(String url) {
        this.url = url;
    }

    record Answer(int status, HttpResponse<String> response) {
        String body() {
            return response.body();
        }

        String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        JsonNode json() {
            try {
                return Json.mapper().readTree(body());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    Answer get(String pathAndQuery) {
        return documented("GET", send(request(pathAndQuery).GET()));
    }

    Answer post(String path, String contentType, String body, String... headers) {
        HttpRequest.Builder request =
                request(path).header("Content-Type", contentType).POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return documented("POST", send(request));
    }

    Answer patch(String path, String contentType, String body) {
        return documented(
                "PATCH",
                send(request(path)
                        .header("Content-Type", contentType)
                        .method("PATCH", HttpRequest.BodyPublishers.ofString(body))));
    }

    Answer delete(String path) {
        Answer answer = send(request(path).DELETE());
        return answer.status() == 204 ? answer : documented("DELETE", answer);
    }

    /** Without holding it against the document: for what is no part of the API. */
    Answer send(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    HttpRequest.Builder request(String pathAndQuery) {
        return HttpRequest.newBuilder(URI.create(url + pathAndQuery)).timeout(Duration.ofSeconds(20));
    }

    private static Answer documented(String method, Answer answer) {
        DOCUMENT.requireDocumented(
                method,
                answer.response().uri().getPath(),
                answer.status(),
                answer.header("Content-Type"),
                answer.body());
        return answer;
    }
}
