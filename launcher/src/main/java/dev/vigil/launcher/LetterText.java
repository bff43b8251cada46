package dev.vigil.launcher;

import dev.vigil.config.OneLine;
import dev.vigil.dashboard.deadletter.LetterSummary;
import dev.vigil.dashboard.deadletter.LetterView;
import dev.vigil.dashboard.deadletter.ReadableBytes;
import dev.vigil.dashboard.deadletter.RetryMark;
import dev.vigil.event.EventTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Dead letters as text for a terminal. Whatever came from outside stays on its lines, without control characters. */
final class LetterText {
    private static final int DETAIL_CHARACTERS = 100;

    private LetterText() {}

    static String table(List<LetterSummary> letters) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("position", "set aside", "reason", "stage", "retried", "detail"));
        for (LetterSummary letter : letters) {
            RetryMark retried = letter.retried();
            rows.add(List.of(
                    letter.position().toString(),
                    time(letter.atMs()),
                    OneLine.shortened(letter.reason()),
                    OneLine.shortened(letter.stage()),
                    retried == null ? "" : time(retried.atMs()),
                    shortened(letter.detail())));
        }
        return AlignedTable.of(rows);
    }

    private static String shortened(String detail) {
        String line = OneLine.of(detail);
        return line.codePointCount(0, line.length()) <= DETAIL_CHARACTERS
                ? line
                : line.substring(0, line.offsetByCodePoints(0, DETAIL_CHARACTERS)) + "…";
    }

    static String view(LetterView view) {
        LetterSummary letter = view.letter();
        RetryMark retried = letter.retried();
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("position", letter.position().toString()));
        facts.add(List.of("set aside", time(letter.atMs()) + " by " + OneLine.of(letter.stage())));
        facts.add(List.of("reason", OneLine.of(letter.reason())));
        facts.add(List.of("detail", OneLine.of(letter.detail())));
        facts.add(List.of(
                "came from", letter.origin() == null ? "no record" : OneLine.of(String.valueOf(letter.origin()))));
        if (retried != null) {
            facts.add(List.of("retried", time(retried.atMs()) + ", stands in " + OneLine.of(retried.into())));
        }
        if (letter.notRetryable() != null) {
            facts.add(List.of("retry", "no: " + letter.notRetryable()));
        }
        facts.add(List.of("key", oneLine(view.key())));
        for (LetterView.Header header : view.headers()) {
            facts.add(List.of(OneLine.of(header.name()), oneLine(header.value())));
        }
        return AlignedTable.of(facts) + System.lineSeparator() + value(view.value());
    }

    private static String value(@Nullable ReadableBytes value) {
        if (value == null) {
            return "no value" + System.lineSeparator();
        }
        String head = "value, " + value.bytes() + " bytes" + (value.text() == null ? " in hex" : "")
                + (value.truncated() ? ", of which these are the first; --raw has all" : "") + System.lineSeparator();
        String text = value.text() == null ? String.valueOf(value.hex()) : value.text();
        return head
                + text.lines()
                        .map(line -> "  " + OneLine.of(line) + System.lineSeparator())
                        .collect(Collectors.joining());
    }

    private static String oneLine(@Nullable ReadableBytes value) {
        if (value == null) {
            return "none";
        }
        return value.text() == null ? "hex " + value.hex() : OneLine.of(value.text());
    }

    private static String time(long ms) {
        return EventTimes.format(EventTimes.fromEpochMs(ms));
    }
}
