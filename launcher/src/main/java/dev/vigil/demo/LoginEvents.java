package dev.vigil.demo;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.vigil.demo.bank.Login;
import dev.vigil.event.EventTimes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Logins as a batch of CloudEvents 1.0 of type {@code login}. */
final class LoginEvents {
    static final String BATCH_TYPE = "application/cloudevents-batch+json";
    static final String SOURCE = "/bank/online-banking";
    static final String TYPE = "login";

    private static final JsonFactory JSON = new JsonFactory();

    private LoginEvents() {}

    static byte[] encode(List<Login> logins) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(logins.size() * 320);
        try (JsonGenerator json = JSON.createGenerator(bytes)) {
            json.writeStartArray();
            for (Login login : logins) {
                write(login, json);
            }
            json.writeEndArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private static void write(Login login, JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeStringField("specversion", "1.0");
        json.writeStringField("id", login.id());
        json.writeStringField("source", SOURCE);
        json.writeStringField("type", TYPE);
        json.writeStringField("time", EventTimes.format(EventTimes.fromEpochMs(login.eventTimeMs())));
        json.writeStringField("subject", login.accountId());
        json.writeStringField("datacontenttype", "application/json");
        json.writeObjectFieldStart("data");
        json.writeStringField("account_id", login.accountId());
        json.writeStringField("device", login.device());
        json.writeStringField("ip", login.ip());
        json.writeBooleanField("success", login.success());
        json.writeEndObject();
        json.writeEndObject();
    }
}
