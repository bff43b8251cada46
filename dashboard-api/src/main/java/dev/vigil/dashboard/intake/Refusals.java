package dev.vigil.dashboard.intake;

import dev.vigil.event.DeadLetter;
import dev.vigil.event.DeadLetter.Reason;
import dev.vigil.event.card.CardNumbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes dead letters of refused records. A letter keeps the very bytes, but for card numbers, which are stored nowhere: tokens take
 * their place where the deployment has tokens and the record stays readable with them, else stars of the same length; and where
 * neither can be, the value is left out. One thread.
 */
public final class Refusals {
    private static final int MAX_PROBLEMS = 5;
    private static final int MAX_DETAIL = 1_000;

    private final RecordReader reader;
    private final CardFreeBytes cardFree;

    /** @param reader that refused the records */
    public Refusals(IntakeConfig config, RecordReader reader) {
        this.reader = reader;
        this.cardFree = new CardFreeBytes(config.cardNumbers());
    }

    /**
     * @param refused what reading the record gave, with at least one problem
     * @throws RegistryUnavailableException if whether a card number is left cannot be told before the registry answers
     */
    public Refusal of(SentRecord record, Submission refused, DeclaredTypes types) {
        List<EventProblem> problems = refused.problems();
        DeadLetter letter = new DeadLetter(reason(problems.get(0)), DeadLetter.INTAKE_STAGE, detail(problems), null);
        CardFreeBytes.Result key = cardFree.ofText(record.key());
        CardFreeBytes.Result value = cardFree.ofValue(record.value());
        boolean isMasked = key.masked() || value.masked();
        List<SentRecord.Header> headers = new ArrayList<>();
        for (SentRecord.Header header : record.headers()) {
            if (!header.name().startsWith(DeadLetter.HEADER_PREFIX)) {
                CardFreeBytes.Result clean = cardFree.ofText(header.value());
                isMasked |= clean.masked() || CardNumbers.isIn(header.name());
                headers.add(new SentRecord.Header(CardNumbers.masked(header.name()), clean.bytes()));
            }
        }
        SentRecord clean = new SentRecord(key.bytes(), value.bytes(), headers);
        if (hasCardNumber(refused) && stillHasCardNumber(clean, types)) {
            return new Refusal(letter, new SentRecord(clean.key(), null, clean.headers()), true);
        }
        return new Refusal(letter, clean, isMasked);
    }

    /**
     * Of a record in which card numbers could not be looked for: what has too few digits for one is kept, nothing else.
     *
     * @param refused as for {@link #of}
     */
    public static Refusal ofUnsearched(SentRecord record, Submission refused) {
        List<EventProblem> problems = refused.problems();
        List<SentRecord.Header> headers = record.headers().stream()
                .filter(header ->
                        !header.name().startsWith(DeadLetter.HEADER_PREFIX) && !CardNumbers.isIn(header.name()))
                .map(header -> new SentRecord.Header(header.name(), withoutDigits(header.value())))
                .toList();
        SentRecord kept = new SentRecord(withoutDigits(record.key()), withoutDigits(record.value()), headers);
        return new Refusal(
                new DeadLetter(reason(problems.get(0)), DeadLetter.INTAKE_STAGE, detail(problems), null),
                kept,
                record.value() != null && kept.value() == null || record.key() != null && kept.key() == null);
    }

    /** Null if a card number could be in them: escapes have digits too, but what a schema describes may have none. */
    private static byte @Nullable [] withoutDigits(byte @Nullable [] bytes) {
        if (bytes == null || RegistryValues.isOne(bytes)) {
            return null;
        }
        int digits = 0;
        for (byte b : bytes) {
            digits += b >= '0' && b <= '9' ? 1 : 0;
        }
        return digits < CardNumbers.MIN_DIGITS ? bytes : null;
    }

    /** As when its digits are written as escapes, or in binary. */
    private boolean stillHasCardNumber(SentRecord record, DeclaredTypes types) {
        return reader.read(record, types).map(Refusals::hasCardNumber).orElse(false);
    }

    /** Whether one was found, or would have become a token if nothing else had been wrong. */
    private static boolean hasCardNumber(Submission submission) {
        return submission.tokenisedCount() > 0
                || submission.problems().stream()
                        .anyMatch(problem -> problem.code().equals(EventProblem.CARD_NUMBER));
    }

    private static String detail(List<EventProblem> problems) {
        String all = problems.stream()
                .limit(MAX_PROBLEMS)
                .map(problem -> place(problem) + problem.detail())
                .collect(Collectors.joining("; "));
        String more = problems.size() > MAX_PROBLEMS ? "; and " + (problems.size() - MAX_PROBLEMS) + " more" : "";
        String detail = CardNumbers.masked(all + more);
        return detail.length() <= MAX_DETAIL ? detail : detail.substring(0, MAX_DETAIL) + "…";
    }

    private static String place(EventProblem problem) {
        String event = problem.index() == null ? "" : "event " + problem.index() + ": ";
        return problem.field() == null ? event : event + problem.field() + ": ";
    }

    /** As the engine would name it, where it would refuse the same. */
    static Reason reason(EventProblem problem) {
        Optional<Reason> named = Arrays.stream(Reason.values())
                .filter(reason -> reason.code().equals(problem.code().toLowerCase(Locale.ROOT)))
                .findFirst();
        if (named.isPresent()) {
            return named.get();
        }
        return problem.code().equals(EventProblem.RESERVED)
                ? Reason.UNKNOWN_CONTROL
                : reasonOf(problem.field(), problem.code().equals(EventProblem.MISSING));
    }

    private static Reason reasonOf(@Nullable String field, boolean isMissing) {
        if (field == null || field.equals("data")) {
            return Reason.MALFORMED_JSON;
        }
        return switch (field) {
            case "attributes" -> Reason.MALFORMED_ENVELOPE;
            case "id" -> isMissing ? Reason.MISSING_ID : Reason.MALFORMED_ENVELOPE;
            case "subject" -> isMissing ? Reason.MISSING_ACCOUNT : Reason.MALFORMED_ENVELOPE;
            case "time" -> Reason.MISSING_TIME;
            default -> field.startsWith("/data/") ? Reason.BAD_FIELD : Reason.MALFORMED_ENVELOPE;
        };
    }
}
