package dev.vigil.alerting.cases;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in the list of cases, of which the one with the latest alert is the first. As text it is what a page says to go on
 * after: it stays where it is when the case gets another alert.
 *
 * @param lastAlertAtUs µs since the epoch
 */
public record CasePlace(long lastAlertAtUs, String caseId) implements Comparable<CasePlace> {
    private static final Pattern TEXT = Pattern.compile("(-?[0-9]{1,18})\\.([0-9a-f]{1,64})");
    private static final Comparator<CasePlace> ORDER =
            Comparator.comparingLong(CasePlace::lastAlertAtUs).reversed().thenComparing(CasePlace::caseId);

    public static CasePlace of(CaseHead head) {
        return new CasePlace(head.figures().lastAlertAtUs(), head.caseId());
    }

    /** @throws IllegalArgumentException if no page said so */
    public static CasePlace parse(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("after: expected what the page before named as next");
        }
        return new CasePlace(Long.parseLong(parts.group(1)), parts.group(2));
    }

    @Override
    public int compareTo(CasePlace other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return lastAlertAtUs + "." + caseId;
    }
}
