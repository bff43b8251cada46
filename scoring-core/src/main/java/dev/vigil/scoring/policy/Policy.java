package dev.vigil.scoring.policy;

import dev.vigil.event.Decision;
import dev.vigil.event.MinorUnits;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One version of a policy.
 *
 * @param plain how records without CloudEvents headers are read; absent: they are refused
 * @param decisions thresholds, highest first; below the last: approve
 * @param text the YAML that it was read from, which travels through the log
 */
public record Policy(
        String name,
        int version,
        MinorUnits currency,
        TimeRules time,
        List<EventDeclaration> events,
        @Nullable PlainRecords plain,
        List<ReferenceDeclaration> references,
        List<FeatureDeclaration> features,
        List<SummaryDeclaration> summaries,
        List<ValueList> lists,
        List<RuleDeclaration> rules,
        List<Threshold> decisions,
        AlertRule alerts,
        String text) {

    public Policy {
        events = List.copyOf(events);
        references = List.copyOf(references);
        features = List.copyOf(features);
        summaries = List.copyOf(summaries);
        lists = List.copyOf(lists);
        rules = List.copyOf(rules);
        decisions = List.copyOf(decisions);
    }

    /** A score of at least {@code score} leads to the decision. */
    public record Threshold(Decision decision, int score) {}

    /**
     * Which decisions alert, and how alerts of one group calm down.
     *
     * @param groupBy {@code account} or a string field
     * @param cooldownMs in event time; 0: none
     */
    public record AlertRule(Set<Decision> on, String groupBy, long cooldownMs) {
        public AlertRule {
            on = on.isEmpty() ? Set.of() : Collections.unmodifiableSet(EnumSet.copyOf(on));
        }
    }

    /** The decision for a score. */
    public Decision decide(int score) {
        for (Threshold threshold : decisions) {
            if (score >= threshold.score()) {
                return threshold.decision();
            }
        }
        return Decision.APPROVE;
    }

    /** How far behind the watermark an event may still take part in a window of one that is to come, µs. */
    public long rememberedUs() {
        return time.allowedLatenessUs() + time.correctWithinUs() + longestLookBackUs();
    }

    /** The longest that any window looks back, delay included, and that any summary's window is; µs. */
    public long longestLookBackUs() {
        long longest = 0;
        for (FeatureDeclaration feature : features) {
            if (feature instanceof FeatureDeclaration.Windowed windowed) {
                longest = Math.max(longest, windowed.overUs() + windowed.delayUs());
            }
        }
        return Math.max(longest, longestSummaryUs());
    }

    /** The longest that a summary's window may be; 0 without summaries; µs. */
    public long longestSummaryUs() {
        long longest = 0;
        for (SummaryDeclaration summary : summaries) {
            longest = Math.max(longest, summary.window().longestUs());
        }
        return longest;
    }
}
