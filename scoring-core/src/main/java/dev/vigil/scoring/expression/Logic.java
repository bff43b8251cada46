package dev.vigil.scoring.expression;

import dev.vigil.scoring.expression.Node.Kind;

/** Connectives, in Kleene's three-valued logic. */
final class Logic {
    private Logic() {}

    static Node and(Node left, Node right) {
        return connect(left, right, false);
    }

    static Node or(Node left, Node right) {
        return connect(left, right, true);
    }

    /** @param deciding the value of either side that decides the whole, whatever the other is */
    private static Node connect(Node left, Node right, boolean deciding) {
        Node.Test first = left.test();
        Node.Test second = right.test();
        return Node.test(frame -> {
            boolean before = frame.absent;
            frame.absent = false;
            boolean firstValue = first.apply(frame);
            boolean firstUnknown = frame.absent;
            if (!firstUnknown && firstValue == deciding) {
                frame.absent = before;
                return deciding;
            }
            frame.absent = false;
            boolean secondValue = second.apply(frame);
            boolean secondUnknown = frame.absent;
            if (!secondUnknown && secondValue == deciding) {
                frame.absent = before;
                return deciding;
            }
            frame.absent = before || firstUnknown || secondUnknown;
            return !deciding;
        });
    }

    static Node not(Node operand) {
        Node.Test test = operand.test();
        return Node.test(frame -> !test.apply(frame));
    }

    /** Whether the operand has a value; itself always known. */
    static Node present(Node operand) {
        Node.Test touch = touch(operand);
        return Node.test(frame -> {
            boolean before = frame.absent;
            frame.absent = false;
            touch.apply(frame);
            boolean known = !frame.absent;
            frame.absent = before;
            return known;
        });
    }

    private static Node.Test touch(Node operand) {
        return switch (operand.kind) {
            case BOOL -> operand.test();
            case INT, TIME, SPAN -> {
                Node.Whole whole = operand.whole();
                yield frame -> whole.apply(frame) == 0;
            }
            case REAL -> {
                Node.Real real = operand.real();
                yield frame -> real.apply(frame) == 0;
            }
            case TEXT -> {
                Node.Text text = operand.text();
                yield frame -> text.apply(frame).isEmpty();
            }
        };
    }

    /** Evaluates only the branch that the condition chooses. */
    static Node choose(Node condition, Node yes, Node no) {
        Node.Test test = condition.test();
        return switch (yes.kind) {
            case BOOL -> {
                Node.Test a = yes.test();
                Node.Test b = no.test();
                yield Node.test(frame -> test.apply(frame) ? a.apply(frame) : b.apply(frame));
            }
            case INT, TIME, SPAN -> {
                Node.Whole a = yes.whole();
                Node.Whole b = no.whole();
                Kind kind = yes.kind;
                yield Node.whole(kind, frame -> test.apply(frame) ? a.apply(frame) : b.apply(frame));
            }
            case REAL -> {
                Node.Real a = yes.real();
                Node.Real b = no.real();
                yield Node.real(frame -> test.apply(frame) ? a.apply(frame) : b.apply(frame));
            }
            case TEXT -> {
                Node.Text a = yes.text();
                Node.Text b = no.text();
                yield Node.text(frame -> test.apply(frame) ? a.apply(frame) : b.apply(frame));
            }
        };
    }
}
