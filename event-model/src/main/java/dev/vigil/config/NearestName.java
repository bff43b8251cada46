package dev.vigil.config;

import java.util.Collection;
import java.util.Optional;

/** The known name that a mistyped one most likely means. */
public final class NearestName {
    private NearestName() {}

    /** Fewest edits (Levenshtein), at most a third of the name's length rounded up; ties: the first in order. */
    public static Optional<String> of(String name, Collection<String> known) {
        String nearest = null;
        int fewest = (name.length() + 2) / 3 + 1;
        for (String candidate : known) {
            // So many more or fewer characters are so many edits at least.
            if (Math.abs(candidate.length() - name.length()) < fewest) {
                int edits = edits(name, candidate);
                if (edits < fewest) {
                    fewest = edits;
                    nearest = candidate;
                }
            }
        }
        return Optional.ofNullable(nearest);
    }

    private static int edits(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int substituted = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(substituted, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
