package dev.vigil.scoring.expression;

import dev.vigil.scoring.expression.Node.Kind;

/** Orders and equalities. An integer and a double compare by value, as CEL's heterogeneous comparisons do. */
final class Comparison {
    private static final long EXACT_IN_DOUBLE = 1L << 53;

    private Comparison() {}

    static Node of(String operator, Node left, Node right) {
        if (left.kind == Kind.REAL || right.kind == Kind.REAL) {
            return left.kind == right.kind ? reals(operator, left.real(), right.real()) : mixed(operator, left, right);
        }
        return switch (left.kind) {
            case TEXT -> texts(operator, left.text(), right.text());
            case BOOL -> bools(operator, left.test(), right.test());
            default -> wholes(operator, left.whole(), right.whole());
        };
    }

    private static Node reals(String operator, Node.Real a, Node.Real b) {
        return Node.test(
                switch (operator) {
                    case "_==_" -> frame -> a.apply(frame) == b.apply(frame);
                    case "_!=_" -> frame -> a.apply(frame) != b.apply(frame);
                    case "_<_" -> frame -> a.apply(frame) < b.apply(frame);
                    case "_<=_" -> frame -> a.apply(frame) <= b.apply(frame);
                    case "_>_" -> frame -> a.apply(frame) > b.apply(frame);
                    default -> frame -> a.apply(frame) >= b.apply(frame);
                });
    }

    private static Node wholes(String operator, Node.Whole a, Node.Whole b) {
        return Node.test(
                switch (operator) {
                    case "_==_" -> frame -> a.apply(frame) == b.apply(frame);
                    case "_!=_" -> frame -> a.apply(frame) != b.apply(frame);
                    case "_<_" -> frame -> a.apply(frame) < b.apply(frame);
                    case "_<=_" -> frame -> a.apply(frame) <= b.apply(frame);
                    case "_>_" -> frame -> a.apply(frame) > b.apply(frame);
                    default -> frame -> a.apply(frame) >= b.apply(frame);
                });
    }

    private static Node mixed(String operator, Node left, Node right) {
        if (left.kind == Kind.INT) {
            Node.Whole a = left.whole();
            Node.Real b = right.real();
            return Node.test(frame -> holds(operator, compare(a.apply(frame), b.apply(frame))));
        }
        Node.Real a = left.real();
        Node.Whole b = right.whole();
        return Node.test(frame -> {
            double first = a.apply(frame);
            int reversed = compare(b.apply(frame), first);
            return holds(operator, reversed == UNORDERED ? UNORDERED : -reversed);
        });
    }

    private static final int UNORDERED = 2;

    /** -1, 0 or 1 by value; {@link #UNORDERED} for NaN. */
    private static int compare(long whole, double real) {
        if (Double.isNaN(real)) {
            return UNORDERED;
        }
        if (Math.abs(whole) <= EXACT_IN_DOUBLE) {
            return Double.compare(whole, real + 0.0);
        }
        if (Double.isInfinite(real)) {
            return real > 0 ? -1 : 1;
        }
        return java.math.BigDecimal.valueOf(whole).compareTo(new java.math.BigDecimal(real));
    }

    private static boolean holds(String operator, int order) {
        if (order == UNORDERED) {
            return operator.equals("_!=_");
        }
        return switch (operator) {
            case "_==_" -> order == 0;
            case "_!=_" -> order != 0;
            case "_<_" -> order < 0;
            case "_<=_" -> order <= 0;
            case "_>_" -> order > 0;
            default -> order >= 0;
        };
    }

    private static Node texts(String operator, Node.Text a, Node.Text b) {
        return Node.test(frame -> {
            String first = a.apply(frame);
            String second = b.apply(frame);
            return switch (operator) {
                case "_==_" -> first.equals(second);
                case "_!=_" -> !first.equals(second);
                default -> holds(operator, Integer.signum(first.compareTo(second)));
            };
        });
    }

    private static Node bools(String operator, Node.Test a, Node.Test b) {
        return Node.test(frame -> {
            boolean first = a.apply(frame);
            boolean second = b.apply(frame);
            return holds(operator, Boolean.compare(first, second));
        });
    }
}
