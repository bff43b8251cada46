package dev.vigil.scoring.expression;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A compiled part of an expression: one of the four functions, by kind. A function that reads an absent value sets
 * {@link Frame#absent} and returns anything.
 */
final class Node {
    enum Kind {
        BOOL,
        INT,
        REAL,
        TEXT,
        /** µs since the epoch. */
        TIME,
        /** µs. */
        SPAN
    }

    @FunctionalInterface
    interface Test {
        boolean apply(Frame frame);
    }

    @FunctionalInterface
    interface Whole {
        long apply(Frame frame);
    }

    @FunctionalInterface
    interface Real {
        double apply(Frame frame);
    }

    @FunctionalInterface
    interface Text {
        String apply(Frame frame);
    }

    final Kind kind;
    private final @Nullable Test test;
    private final @Nullable Whole whole;
    private final @Nullable Real real;
    private final @Nullable Text text;

    /** The value where the node is a literal; lists of literals become sets and patterns at compile time. */
    final @Nullable Object constant;

    private Node(
            Kind kind,
            @Nullable Test test,
            @Nullable Whole whole,
            @Nullable Real real,
            @Nullable Text text,
            @Nullable Object constant) {
        this.kind = kind;
        this.test = test;
        this.whole = whole;
        this.real = real;
        this.text = text;
        this.constant = constant;
    }

    static Node test(Test test) {
        return new Node(Kind.BOOL, test, null, null, null, null);
    }

    /** @param kind INT, TIME or SPAN */
    static Node whole(Kind kind, Whole whole) {
        return new Node(kind, null, whole, null, null, null);
    }

    static Node real(Real real) {
        return new Node(Kind.REAL, null, null, real, null, null);
    }

    static Node text(Text text) {
        return new Node(Kind.TEXT, null, null, null, text, null);
    }

    static Node constant(boolean value) {
        return new Node(Kind.BOOL, frame -> value, null, null, null, value);
    }

    static Node constant(Kind kind, long value) {
        return new Node(kind, null, frame -> value, null, null, value);
    }

    static Node constant(double value) {
        return new Node(Kind.REAL, null, null, frame -> value, null, value);
    }

    static Node constant(String value) {
        return new Node(Kind.TEXT, null, null, null, frame -> value, value);
    }

    Test test() {
        return Objects.requireNonNull(test);
    }

    Whole whole() {
        return Objects.requireNonNull(whole);
    }

    /** The real value, also of an INT. */
    Real real() {
        if (kind == Kind.INT) {
            Whole integer = whole();
            return frame -> integer.apply(frame);
        }
        return Objects.requireNonNull(real);
    }

    Text text() {
        return Objects.requireNonNull(text);
    }

    boolean isNumber() {
        return kind == Kind.INT || kind == Kind.REAL;
    }
}
