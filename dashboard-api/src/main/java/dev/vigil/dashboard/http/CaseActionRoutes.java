package dev.vigil.dashboard.http;

import dev.vigil.dashboard.cases.ActionNotStoredException;
import dev.vigil.dashboard.cases.ActionReader;
import dev.vigil.dashboard.cases.ActionRequest;
import dev.vigil.dashboard.cases.BadActionException;
import dev.vigil.dashboard.cases.CaseConflictException;
import dev.vigil.dashboard.cases.Triage;
import dev.vigil.dashboard.cases.Wording;
import dev.vigil.event.cases.AlertCase;
import io.javalin.http.Context;
import io.javalin.router.JavalinDefaultRoutingApi;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What people do about cases. So many at a time: each waits until alerting has taken it. */
final class CaseActionRoutes implements WebServer.Routes {
    private static final Logger LOG = LoggerFactory.getLogger(CaseActionRoutes.class);
    private static final String IDEMPOTENCY_KEY = "Idempotency-Key";
    private static final Pattern ACTION_ID = Pattern.compile("[A-Za-z0-9._:-]{1,100}");
    /** A note in the widest characters and escapes. */
    private static final int MAX_BODY_BYTES = 64 << 10;

    private static final int MAX_AT_ONCE = 16;
    private static final int BUSY_SECONDS = 1;
    private static final int BROKER_SECONDS = 5;

    private final Triage triage;
    private final Wording wording;
    private final ActionReader reader;
    private final UserNames users;
    private final Semaphore slots = new Semaphore(MAX_AT_ONCE);

    CaseActionRoutes(Triage triage, Wording wording, UserNames users) {
        this.triage = triage;
        this.wording = wording;
        this.reader = new ActionReader(wording);
        this.users = users;
    }

    record Pending(String actionId, String caseId) {}

    @Override
    public void register(JavalinDefaultRoutingApi routes) {
        routes.post(CaseRoutes.ONE + "/actions", this::act);
    }

    /** Asks for a content type that no foreign page can send without being allowed to. */
    private void act(Context ctx) {
        String type = ctx.contentType();
        if (type == null || !type.toLowerCase(Locale.ROOT).startsWith("application/json")) {
            throw new ProblemException(
                    Problem.of(415, "unsupported-media-type", "Unsupported media type", "Expected application/json."));
        }
        String caseId = CaseRoutes.id(ctx);
        String actionId = actionId(ctx);
        byte[] body = ctx.bodyAsBytes();
        if (body.length > MAX_BODY_BYTES) {
            throw new ProblemException(Problem.bodyTooLarge(MAX_BODY_BYTES, body.length));
        }
        try {
            ActionRequest request = reader.read(body);
            String name = name(ctx, request);
            Optional<AlertCase> now = taken(caseId, request, actionId, name);
            if (now.isPresent()) {
                ApiJson.write(ctx, 200, now.get());
            } else {
                ApiJson.write(ctx, 202, new Pending(actionId, caseId));
            }
        } catch (BadActionException e) {
            throw badAction(String.valueOf(e.getMessage()));
        }
    }

    private static ProblemException badAction(String detail) {
        return new ProblemException(Problem.of(400, "bad-action", "Bad action", detail));
    }

    private static String actionId(Context ctx) {
        String key = ctx.header(IDEMPOTENCY_KEY);
        if (key == null) {
            return UUID.randomUUID().toString();
        }
        if (!ACTION_ID.matcher(key).matches()) {
            throw badAction(IDEMPOTENCY_KEY + ": expected up to 100 letters, digits, '.', '_', ':' and '-'");
        }
        return key;
    }

    private String name(Context ctx, ActionRequest request) {
        String said = request.by();
        Optional<String> known = users.of(ctx.req()).map(user -> wording.name("by", user));
        if (known.isPresent() && said != null && !said.equals(known.get())) {
            throw new ProblemException(Problem.of(
                    403,
                    "other-user",
                    "Another user",
                    "by: expected nobody but the user who is signed in, or nothing at all."));
        }
        if (known.isEmpty() && said == null) {
            throw new BadActionException("by: expected the name of who does it, found none");
        }
        return known.orElse(said == null ? "" : said);
    }

    private Optional<AlertCase> taken(String caseId, ActionRequest request, String actionId, String name) {
        if (!slots.tryAcquire()) {
            throw new ProblemException(
                    Problem.of(429, "busy", "Too many requests", "Other actions are waiting; send this again."),
                    BUSY_SECONDS);
        }
        try {
            return CaseRoutes.asked(() -> triage.act(caseId, request, actionId, name));
        } catch (CaseConflictException e) {
            throw new ProblemException(Problem.of(409, "case-moved-on", "Nothing was done", e.getMessage()));
        } catch (ActionNotStoredException e) {
            LOG.warn("action {} on case {}: {}, {}", actionId, caseId, e.getMessage(), String.valueOf(e.getCause()));
            throw new ProblemException(
                    Problem.of(
                            503,
                            "broker-unavailable",
                            "Unavailable",
                            "The broker did not confirm the action. Send it again with " + IDEMPOTENCY_KEY + ": "
                                    + actionId + ", so that it counts once."),
                    BROKER_SECONDS);
        } finally {
            slots.release();
        }
    }
}
