package dev.vigil.scoring.expression;

import dev.vigil.event.FieldType;
import java.util.List;

/** A checked and compiled expression. Evaluation allocates nothing and never throws. Not thread-safe with one frame. */
public final class Expression {
    private final Node node;
    private final List<Scope.Variable> reads;

    Expression(Node node, List<Scope.Variable> reads) {
        this.node = node;
        this.reads = List.copyOf(reads);
    }

    /** Type of the result; a money variable takes part as DOUBLE in major units, a span of time is LONG (µs). */
    public FieldType type() {
        return switch (node.kind) {
            case BOOL -> FieldType.BOOL;
            case INT, SPAN -> FieldType.LONG;
            case REAL -> FieldType.DOUBLE;
            case TEXT -> FieldType.STRING;
            case TIME -> FieldType.TIMESTAMP;
        };
    }

    /** The variables that it reads, in order of appearance, each once. */
    public List<Scope.Variable> reads() {
        return reads;
    }

    /** Whether a BOOL expression is certainly true: neither false nor unknown. */
    public boolean holds(Frame frame) {
        frame.absent = false;
        return node.test().apply(frame) && !frame.absent;
    }

    /** Puts the result into a slot of {@link #type}; an unknown or non-finite one becomes absent. */
    public void evaluateInto(Frame frame, int slot) {
        frame.absent = false;
        switch (node.kind) {
            case BOOL -> frame.setNumber(slot, node.test().apply(frame) ? 1 : 0);
            case INT, TIME, SPAN -> frame.setNumber(slot, node.whole().apply(frame));
            case REAL -> frame.setDouble(slot, node.real().apply(frame));
            case TEXT -> frame.setText(slot, node.text().apply(frame));
        }
        if (frame.absent) {
            frame.setAbsent(slot);
        }
    }
}
