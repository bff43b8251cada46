package dev.vigil.scoring.expression;

import dev.vigil.config.ConfigDocument;
import dev.vigil.event.FieldType;
import dev.vigil.event.Json;
import dev.vigil.event.MinorUnits;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles expressions over one scope and evaluates them over values given by name; a name left out is absent. */
final class ExpressionFixture {
    private static final MinorUnits EUR = MinorUnits.of("EUR");

    final Scope scope = new Scope();
    private final ExpressionCompiler compiler = new ExpressionCompiler(scope, EUR);

    ExpressionFixture with(String name, FieldType type) {
        scope.declare(name, type);
        return this;
    }

    Expression compile(String text) {
        String quoted = new String(Json.encode(text), StandardCharsets.UTF_8);
        return compiler.compile(ConfigDocument.parse("test", "e: " + quoted).require("e"));
    }

    /** The value of the expression as a feature would have it: Boolean, Long, Double, String; null where absent. */
    @Nullable
    Object evaluate(String text, Map<String, Object> values) {
        return evaluate(compile(text), values);
    }

    @Nullable
    Object evaluate(Expression expression, Map<String, Object> values) {
        int result = scope.size();
        Frame frame = new Frame(result + 1);
        values.forEach((name, value) -> set(frame, scope.find(name).orElseThrow(), value));
        expression.evaluateInto(frame, result);
        return frame.value(result, expression.type(), EUR);
    }

    private static void set(Frame frame, Scope.Variable variable, Object value) {
        int slot = variable.slot();
        if (value instanceof String text) {
            frame.setText(slot, text);
        } else if (value instanceof Boolean bool) {
            frame.setNumber(slot, bool ? 1 : 0);
        } else if (value instanceof Double real) {
            frame.setDouble(slot, real);
        } else {
            frame.setNumber(slot, (Long) value);
        }
    }
}
