package dev.vigil.scoring.expression;

import dev.vigil.scoring.expression.Node.Kind;

/**
 * Arithmetic. Integers are exact: an overflow or a division by zero makes the result unknown. Doubles follow IEEE 754.
 * Times and spans add and subtract in microseconds.
 */
final class Arithmetic {
    private Arithmetic() {}

    static Node binary(String operator, Node left, Node right) {
        if (left.kind == Kind.TEXT) {
            Node.Text a = left.text();
            Node.Text b = right.text();
            return Node.text(frame -> a.apply(frame) + b.apply(frame));
        }
        if (left.kind == Kind.REAL) {
            return reals(operator, left.real(), right.real());
        }
        return wholes(resultKind(operator, left.kind, right.kind), operator, left.whole(), right.whole());
    }

    private static Kind resultKind(String operator, Kind left, Kind right) {
        if (left == Kind.TIME && right == Kind.TIME && operator.equals("_-_")) {
            return Kind.SPAN;
        }
        return left == Kind.TIME || right == Kind.TIME ? Kind.TIME : left;
    }

    private static Node reals(String operator, Node.Real a, Node.Real b) {
        return Node.real(
                switch (operator) {
                    case "_+_" -> frame -> a.apply(frame) + b.apply(frame);
                    case "_-_" -> frame -> a.apply(frame) - b.apply(frame);
                    case "_*_" -> frame -> a.apply(frame) * b.apply(frame);
                    default -> frame -> a.apply(frame) / b.apply(frame);
                });
    }

    private static Node wholes(Kind kind, String operator, Node.Whole a, Node.Whole b) {
        return Node.whole(
                kind,
                switch (operator) {
                    case "_+_" -> frame -> add(frame, a.apply(frame), b.apply(frame));
                    case "_-_" -> frame -> subtract(frame, a.apply(frame), b.apply(frame));
                    case "_*_" -> frame -> multiply(frame, a.apply(frame), b.apply(frame));
                    case "_/_" -> frame -> divide(frame, a.apply(frame), b.apply(frame));
                    default -> frame -> remainder(frame, a.apply(frame), b.apply(frame));
                });
    }

    private static long add(Frame frame, long a, long b) {
        long sum = a + b;
        if (((a ^ sum) & (b ^ sum)) < 0) {
            frame.absent = true;
        }
        return sum;
    }

    private static long subtract(Frame frame, long a, long b) {
        long difference = a - b;
        if (((a ^ b) & (a ^ difference)) < 0) {
            frame.absent = true;
        }
        return difference;
    }

    private static long multiply(Frame frame, long a, long b) {
        long low = a * b;
        if (Math.multiplyHigh(a, b) != low >> 63) {
            frame.absent = true;
        }
        return low;
    }

    private static long divide(Frame frame, long a, long b) {
        if (b == 0 || a == Long.MIN_VALUE && b == -1) {
            frame.absent = true;
            return 0;
        }
        return a / b;
    }

    private static long remainder(Frame frame, long a, long b) {
        if (b == 0) {
            frame.absent = true;
            return 0;
        }
        return a % b;
    }

    static Node negate(Node operand) {
        if (operand.kind == Kind.REAL) {
            Node.Real real = operand.real();
            return Node.real(frame -> -real.apply(frame));
        }
        Node.Whole whole = operand.whole();
        return Node.whole(operand.kind, frame -> subtract(frame, 0, whole.apply(frame)));
    }

    static Node max(Node left, Node right) {
        return extreme(left, right, 1);
    }

    static Node min(Node left, Node right) {
        return extreme(left, right, -1);
    }

    private static Node extreme(Node left, Node right, int sign) {
        if (left.kind == Kind.INT && right.kind == Kind.INT) {
            Node.Whole a = left.whole();
            Node.Whole b = right.whole();
            return Node.whole(
                    Kind.INT,
                    sign > 0
                            ? frame -> Math.max(a.apply(frame), b.apply(frame))
                            : frame -> Math.min(a.apply(frame), b.apply(frame)));
        }
        Node.Real a = left.real();
        Node.Real b = right.real();
        return Node.real(
                sign > 0
                        ? frame -> Math.max(a.apply(frame), b.apply(frame))
                        : frame -> Math.min(a.apply(frame), b.apply(frame)));
    }

    static Node abs(Node operand) {
        if (operand.kind == Kind.REAL) {
            Node.Real real = operand.real();
            return Node.real(frame -> Math.abs(real.apply(frame)));
        }
        Node.Whole whole = operand.whole();
        return Node.whole(operand.kind, frame -> {
            long value = whole.apply(frame);
            return value < 0 ? subtract(frame, 0, value) : value;
        });
    }

    /** Towards zero; unknown for a double outside the range of 64 bits, as in CEL. */
    static Node toInteger(Node operand) {
        if (operand.kind == Kind.INT) {
            return operand;
        }
        Node.Real real = operand.real();
        return Node.whole(Kind.INT, frame -> {
            double value = real.apply(frame);
            if (!(value > -0x1p63 && value < 0x1p63)) {
                frame.absent = true;
            }
            return (long) value;
        });
    }
}
