package dev.vigil.scoring.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.config.Durations;
import dev.vigil.config.OneLine;
import dev.vigil.event.EventTimes;
import dev.vigil.event.MinorUnits;
import dev.vigil.scoring.expression.Node.Kind;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Turns one checked tree into nodes. */
final class NodeBuilder {
    private final CelAbstractSyntaxTree tree;
    private final Scope scope;
    private final MinorUnits currency;
    private final ConfigNode place;
    private final Set<Scope.Variable> reads = new LinkedHashSet<>();

    NodeBuilder(CelAbstractSyntaxTree tree, Scope scope, MinorUnits currency, ConfigNode place) {
        this.tree = tree;
        this.scope = scope;
        this.currency = currency;
        this.place = place;
    }

    List<Scope.Variable> reads() {
        return List.copyOf(reads);
    }

    Node build(CelExpr expr) {
        return switch (expr.getKind()) {
            case CONSTANT -> literal(expr.constant());
            case IDENT, SELECT -> variable(expr);
            case CALL -> call(expr.call());
            default -> throw unsupported("a " + expr.getKind().name().toLowerCase(Locale.ROOT));
        };
    }

    private Node literal(CelConstant constant) {
        return switch (constant.getKind()) {
            case BOOLEAN_VALUE -> Node.constant(constant.booleanValue());
            case INT64_VALUE -> Node.constant(Kind.INT, constant.int64Value());
            case DOUBLE_VALUE -> Node.constant(constant.doubleValue());
            case STRING_VALUE -> Node.constant(constant.stringValue());
            default -> throw unsupported("a literal of this type");
        };
    }

    private Node variable(CelExpr expr) {
        String name = tree.getReference(expr.id())
                .map(reference -> reference.name())
                .orElseThrow(() -> unsupported("a field of a value"));
        Scope.Variable variable = scope.find(name).orElseThrow(() -> unsupported("the name '" + name + "'"));
        reads.add(variable);
        int slot = variable.slot();
        return switch (variable.type()) {
            case BOOL -> Node.test(frame -> read(frame, slot) != 0);
            case LONG -> Node.whole(Kind.INT, frame -> read(frame, slot));
            case TIMESTAMP -> Node.whole(Kind.TIME, frame -> read(frame, slot));
            case DOUBLE -> Node.real(frame -> Double.longBitsToDouble(read(frame, slot)));
            case MONEY -> {
                double minorPerMajor = currency.powerOfTen();
                yield Node.real(frame -> read(frame, slot) / minorPerMajor);
            }
            case STRING ->
                Node.text(frame -> {
                    if (!frame.isPresent(slot)) {
                        frame.absent = true;
                        return "";
                    }
                    return frame.text(slot);
                });
        };
    }

    private static long read(Frame frame, int slot) {
        if (!frame.isPresent(slot)) {
            frame.absent = true;
            return 0;
        }
        return frame.number(slot);
    }

    private Node call(CelExpr.CelCall call) {
        if (call.function().equals("@in")) {
            return in(build(call.args().get(0)), call.args().get(1));
        }
        List<Node> operands = new ArrayList<>();
        call.target().ifPresent(target -> operands.add(build(target)));
        call.args().forEach(arg -> operands.add(build(arg)));
        Node first = operands.get(0);
        return switch (call.function()) {
            case "_&&_" -> Logic.and(first, operands.get(1));
            case "_||_" -> Logic.or(first, operands.get(1));
            case "!_" -> Logic.not(first);
            case "_?_:_" -> Logic.choose(first, operands.get(1), operands.get(2));
            case "_==_", "_!=_", "_<_", "_<=_", "_>_", "_>=_" -> Comparison.of(call.function(), first, operands.get(1));
            case "_+_", "_-_", "_*_", "_/_", "_%_" -> Arithmetic.binary(call.function(), first, operands.get(1));
            case "-_" -> Arithmetic.negate(first);
            case "max" -> Arithmetic.max(first, operands.get(1));
            case "min" -> Arithmetic.min(first, operands.get(1));
            case "abs" -> Arithmetic.abs(first);
            case "present" -> Logic.present(first);
            case "double" -> number(first, Node.real(first.isNumber() ? first.real() : frame -> 0));
            case "int" -> number(first, first.isNumber() ? Arithmetic.toInteger(first) : first);
            case "duration" -> Node.constant(Kind.SPAN, span(constantText(first)));
            case "timestamp" -> Node.constant(Kind.TIME, time(constantText(first)));
            case "startsWith" -> texts(first, operands.get(1), String::startsWith);
            case "endsWith" -> texts(first, operands.get(1), String::endsWith);
            case "contains" -> texts(first, operands.get(1), String::contains);
            case "size" -> size(first);
            default -> throw unsupported("the function '" + call.function() + "'");
        };
    }

    private Node number(Node operand, Node result) {
        if (!operand.isNumber()) {
            throw unsupported("a conversion to a number from this type");
        }
        return result;
    }

    private Node size(Node operand) {
        if (operand.kind != Kind.TEXT) {
            throw unsupported("size() of anything but a text");
        }
        Node.Text text = operand.text();
        return Node.whole(Kind.INT, frame -> {
            String value = text.apply(frame);
            return value.codePointCount(0, value.length());
        });
    }

    private interface TextTest {
        boolean holds(String text, String other);
    }

    private static Node texts(Node left, Node right, TextTest test) {
        Node.Text a = left.text();
        Node.Text b = right.text();
        return Node.test(frame -> test.holds(a.apply(frame), b.apply(frame)));
    }

    private Node in(Node element, CelExpr list) {
        if (list.getKind() != CelExpr.ExprKind.Kind.LIST) {
            throw unsupported("'in' with anything but a list of literals");
        }
        Set<Object> members = new HashSet<>();
        for (CelExpr member : list.list().elements()) {
            Node node = build(member);
            if (node.constant == null || node.kind != element.kind) {
                throw unsupported("'in' with anything but a list of literals of the element's type");
            }
            members.add(node.constant);
        }
        return switch (element.kind) {
            case TEXT -> {
                Node.Text text = element.text();
                yield Node.test(frame -> members.contains(text.apply(frame)));
            }
            case INT -> {
                Node.Whole whole = element.whole();
                yield Node.test(frame -> members.contains(whole.apply(frame)));
            }
            default -> throw unsupported("'in' for anything but texts and integers");
        };
    }

    private String constantText(Node node) {
        if (node.constant instanceof String text) {
            return text;
        }
        throw unsupported("a duration or timestamp that is not a literal");
    }

    private long span(String text) {
        try {
            return Math.multiplyExact(Durations.parse(text).toMillis(), 1_000L);
        } catch (IllegalArgumentException e) {
            throw place.error(e.getMessage());
        }
    }

    private long time(String text) {
        try {
            return EventTimes.parse(text);
        } catch (DateTimeParseException e) {
            throw place.error("expected an RFC 3339 time, found " + OneLine.shortened(text));
        }
    }

    private ConfigException unsupported(String what) {
        return place.error("not supported here: " + what + ", in \"" + ExpressionCompiler.oneLine(place) + "\"");
    }
}
