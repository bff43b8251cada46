package dev.vigil.demo.bank;

/** Ids of logins; the instant at which the stream began keeps those of two streams apart. */
final class LoginIds {
    private final String prefix;
    private long count;

    LoginIds(long startMs) {
        prefix = "L" + startMs + "-";
    }

    /** What the ids of this stream, and of no other, begin with. */
    String prefix() {
        return prefix;
    }

    String next() {
        return prefix + ++count;
    }
}
