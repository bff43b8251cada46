package dev.vigil.scoring.expression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cel.bundle.Cel;
import dev.cel.bundle.CelBuilder;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelUnknownSet;
import dev.vigil.event.FieldType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random expressions over random values, some of them absent, against CEL's own runtime. */
class ExpressionDifferentialTest {
    /** In one order, or a seed would not give the same values twice. */
    private static final Map<String, FieldType> VARIABLES = new TreeMap<>(Map.of(
            "b0",
            FieldType.BOOL,
            "b1",
            FieldType.BOOL,
            "i0",
            FieldType.LONG,
            "i1",
            FieldType.LONG,
            "d0",
            FieldType.DOUBLE,
            "d1",
            FieldType.DOUBLE,
            "s0",
            FieldType.STRING,
            "s1",
            FieldType.STRING));
    /**
     * The largest is the largest that a double can hold: of those beyond, CEL's runtime says that they equal 2^63, which
     * they do not.
     */
    private static final List<Long> INTEGERS = List.of(
            0L, 1L, -1L, 2L, 7L, -13L, (1L << 53) - 1, 1L << 53, Long.MAX_VALUE - 1023, Long.MIN_VALUE, 3_037_000_500L);

    private static final List<Double> REALS =
            List.of(0.0, 1.0, -1.5, 2.0, 7.0, 1e300, -1e300, 0x1p53, 0x1p62, 5e-324, 1e15);
    private static final List<String> TEXTS = List.of("", "a", "ab", "b", "\u00e9", "\ud83d\ude00b");

    private final ExpressionFixture fixture = new ExpressionFixture();
    private final Cel cel;
    private Random random = new Random();

    ExpressionDifferentialTest() {
        VARIABLES.forEach(fixture::with);
        CelBuilder builder = CelFactory.standardCelBuilder()
                .setOptions(CelOptions.current()
                        .enableHeterogeneousNumericComparisons(true)
                        .build());
        VARIABLES.forEach((name, type) -> builder.addVar(name, celType(type)));
        for (String name : List.of("max", "min")) {
            builder.addFunctionDeclarations(CelFunctionDecl.newFunctionDeclaration(
                    name,
                    CelOverloadDecl.newGlobalOverload(
                            name + "_double", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE),
                    CelOverloadDecl.newGlobalOverload(name + "_int", SimpleType.INT, SimpleType.INT, SimpleType.INT)));
        }
        builder.addFunctionBindings(
                CelFunctionBinding.from("max_double", Double.class, Double.class, Math::max),
                CelFunctionBinding.from("max_int", Long.class, Long.class, Math::max),
                CelFunctionBinding.from("min_double", Double.class, Double.class, Math::min),
                CelFunctionBinding.from("min_int", Long.class, Long.class, Math::min));
        cel = builder.build();
    }

    private static CelType celType(FieldType type) {
        return switch (type) {
            case BOOL -> SimpleType.BOOL;
            case LONG -> SimpleType.INT;
            case DOUBLE -> SimpleType.DOUBLE;
            default -> SimpleType.STRING;
        };
    }

    @Test
    void shouldAgreeWithCelsOwnRuntime() throws Exception {
        for (long seed : new long[] {1, System.nanoTime()}) {
            random = new Random(seed);
            for (int i = 0; i < 250; i++) {
                FieldType type = oneOf(
                        List.of(FieldType.BOOL, FieldType.BOOL, FieldType.LONG, FieldType.DOUBLE, FieldType.STRING));
                compare(seed, expression(type, 4));
            }
        }
    }

    private void compare(long seed, String text) throws Exception {
        Expression ours = fixture.compile(text);
        CelRuntime.Program theirs = cel.createProgram(cel.compile(text).getAst());
        for (int i = 0; i < 6; i++) {
            Map<String, Object> values = values();
            assertThat(fixture.evaluate(ours, values))
                    .as("seed %d: %s over %s", seed, text, values)
                    .isEqualTo(evaluate(theirs, values));
        }
    }

    private static @Nullable Object evaluate(CelRuntime.Program program, Map<String, Object> values) {
        try {
            Object value = program.eval(values);
            boolean absent = value instanceof CelUnknownSet || value instanceof Double real && !Double.isFinite(real);
            return absent ? null : value;
        } catch (CelEvaluationException e) {
            return null;
        }
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new HashMap<>();
        VARIABLES.forEach((name, type) -> {
            if (random.nextInt(6) > 0) {
                values.put(name, value(type));
            }
        });
        return values;
    }

    private Object value(FieldType type) {
        return switch (type) {
            case BOOL -> random.nextBoolean();
            case LONG -> oneOf(INTEGERS);
            case DOUBLE -> oneOf(REALS);
            default -> oneOf(TEXTS);
        };
    }

    private String expression(FieldType type, int depth) {
        if (depth == 0 || random.nextInt(8) == 0) {
            return random.nextInt(3) > 0
                    ? type.label().charAt(0) == 'l'
                            ? "i" + random.nextInt(2)
                            : type.label().charAt(0) + "" + random.nextInt(2)
                    : literal(type);
        }
        return switch (type) {
            case BOOL -> bool(depth - 1);
            case LONG -> integer(depth - 1);
            case DOUBLE -> real(depth - 1);
            default -> text(depth - 1);
        };
    }

    private String literal(FieldType type) {
        Object value = value(type);
        return value instanceof String text ? "'" + text + "'" : "(" + value + ")";
    }

    private String bool(int depth) {
        FieldType type = oneOf(List.of(FieldType.BOOL, FieldType.LONG, FieldType.DOUBLE, FieldType.STRING));
        return switch (random.nextInt(10)) {
            case 0, 1 -> "(" + expression(FieldType.BOOL, depth) + " && " + expression(FieldType.BOOL, depth) + ")";
            case 2, 3 -> "(" + expression(FieldType.BOOL, depth) + " || " + expression(FieldType.BOOL, depth) + ")";
            case 4 -> "!" + expression(FieldType.BOOL, depth);
            case 5 -> "(" + expression(type, depth) + oneOf(List.of(" == ", " != ")) + expression(type, depth) + ")";
            case 6 -> "(" + expression(type, depth) + order() + expression(type, depth) + ")";
            case 7 -> mixedOrder(depth);
            case 8 ->
                expression(FieldType.STRING, depth) + oneOf(List.of(".startsWith(", ".endsWith(", ".contains("))
                        + expression(FieldType.STRING, depth) + ")";
            default ->
                random.nextBoolean()
                        ? "(" + expression(FieldType.STRING, depth) + " in ['a', '', 'ab'])"
                        : "(" + expression(FieldType.LONG, depth) + " in [1, -1, 0])";
        };
    }

    /**
     * Never over a NaN or a negative zero: CEL's runtime orders these as {@code Double.compare} does, so that NaN is larger
     * than every integer and -0.0 smaller than 0; to Vigil, as to IEEE 754 and to CEL among doubles, they are not.
     */
    private String mixedOrder(int depth) {
        String integer = expression(FieldType.LONG, depth);
        String real = expression(FieldType.DOUBLE, 0);
        return random.nextBoolean() ? "(" + integer + order() + real + ")" : "(" + real + order() + integer + ")";
    }

    private String order() {
        return oneOf(List.of(" < ", " <= ", " > ", " >= "));
    }

    private String integer(int depth) {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 ->
                "(" + expression(FieldType.LONG, depth) + oneOf(List.of(" + ", " - ", " * ", " / ", " % "))
                        + expression(FieldType.LONG, depth) + ")";
            case 3 -> choice(FieldType.LONG, depth);
            case 4 ->
                oneOf(List.of("max(", "min(")) + expression(FieldType.LONG, depth) + ", "
                        + expression(FieldType.LONG, depth) + ")";
            default ->
                switch (random.nextInt(3)) {
                    case 0 -> "size(" + expression(FieldType.STRING, depth) + ")";
                    case 1 -> "int(" + expression(FieldType.DOUBLE, depth) + ")";
                    default -> "-" + expression(FieldType.LONG, depth);
                };
        };
    }

    private String real(int depth) {
        return switch (random.nextInt(6)) {
            case 0, 1, 2 ->
                "(" + expression(FieldType.DOUBLE, depth) + oneOf(List.of(" + ", " - ", " * ", " / "))
                        + expression(FieldType.DOUBLE, depth) + ")";
            case 3 -> choice(FieldType.DOUBLE, depth);
            case 4 ->
                oneOf(List.of("max(", "min(")) + expression(FieldType.DOUBLE, depth) + ", "
                        + expression(FieldType.DOUBLE, depth) + ")";
            default ->
                random.nextBoolean()
                        ? "double(" + expression(FieldType.LONG, depth) + ")"
                        : "-" + expression(FieldType.DOUBLE, depth);
        };
    }

    private String text(int depth) {
        return random.nextBoolean()
                ? "(" + expression(FieldType.STRING, depth) + " + " + expression(FieldType.STRING, depth) + ")"
                : choice(FieldType.STRING, depth);
    }

    private String choice(FieldType type, int depth) {
        return "(" + expression(FieldType.BOOL, depth) + " ? " + expression(type, depth) + " : "
                + expression(type, depth) + ")";
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
