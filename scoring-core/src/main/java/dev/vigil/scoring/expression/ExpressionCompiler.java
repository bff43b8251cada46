package dev.vigil.scoring.expression;

import com.google.common.collect.ImmutableList;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.vigil.config.ConfigException;
import dev.vigil.config.ConfigNode;
import dev.vigil.config.NearestName;
import dev.vigil.config.OneLine;
import dev.vigil.event.FieldType;
import dev.vigil.event.MinorUnits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Compiles expressions over one scope. Beside CEL's operators there are {@code max}, {@code min}, {@code abs} and
 * {@code present(x)}; macros and maps are refused. The scope may grow between expressions. One thread.
 *
 * <p>CEL's checker takes in every variable that it is told of with each expression, so it is told of those alone that the
 * expression names: else a policy of n features would cost n² of it.
 */
public final class ExpressionCompiler {
    /** Characters that an expression may have. */
    public static final int MAX_CHARACTERS = 4_000;

    private static final List<String> FUNCTIONS =
            List.of("max", "min", "abs", "present", "size", "int", "double", "duration", "timestamp");
    private static final List<CelFunctionDecl> DECLARED = functions();
    private static final Pattern DOTTED = Pattern.compile("[A-Za-z_]\\w*(\\.[A-Za-z_]\\w*)*");
    private static final Pattern APPLIED = Pattern.compile("no matching overload.* applied to '\\(([^']*)\\)'");
    private static final Pattern UNDECLARED = Pattern.compile("undeclared reference to '([^']*)'");

    /** Characters of a long expression that a complaint shows on either side of its column. */
    private static final int AROUND = 60;

    private final Scope scope;
    private final MinorUnits currency;
    private final CelCompiler parser;

    public ExpressionCompiler(Scope scope, MinorUnits currency) {
        this.scope = scope;
        this.currency = currency;
        this.parser = newCompiler(List.of());
    }

    /**
     * @param place where the text stands, for complaints
     * @throws ConfigException if it is no such expression over the scope
     */
    public Expression compile(ConfigNode place) {
        CelAbstractSyntaxTree tree = check(place);
        NodeBuilder builder = new NodeBuilder(tree, scope, currency, place);
        Node node = builder.build(tree.getExpr());
        return new Expression(node, builder.reads());
    }

    /** As {@link #compile}, and the result must be true or false. */
    public Expression compileCondition(ConfigNode place) {
        Expression expression = compile(place);
        if (expression.type() != FieldType.BOOL) {
            throw place.error("expected a condition, found an expression of type "
                    + expression.type().label() + ": " + OneLine.shortened(place.text()));
        }
        return expression;
    }

    private CelAbstractSyntaxTree check(ConfigNode place) {
        int characters = place.text().length();
        if (place.text().isBlank()) {
            throw place.error("expected an expression, found nothing");
        }
        if (characters > MAX_CHARACTERS) {
            throw place.error(
                    "expected an expression of at most " + MAX_CHARACTERS + " characters, found " + characters);
        }
        CelAbstractSyntaxTree parsed = tree(place, parser.parse(place.text()));
        Set<Scope.Variable> named = VariableFinder.in(parsed, scope);
        return tree(place, (named.isEmpty() ? parser : newCompiler(named)).check(parsed));
    }

    private CelAbstractSyntaxTree tree(ConfigNode place, CelValidationResult result) {
        if (result.hasError()) {
            throw complaint(place, result.getErrors().get(0));
        }
        try {
            return result.getAst();
        } catch (CelValidationException e) {
            throw place.error(e.getMessage());
        }
    }

    private ConfigException complaint(ConfigNode place, CelIssue issue) {
        String message = issue.getMessage().replace(" (in container '')", "");
        int column = issue.getSourceLocation().getColumn();
        Matcher undeclared = UNDECLARED.matcher(message);
        if (undeclared.find()) {
            String name = wholeName(place.text(), undeclared.group(1), column);
            boolean isCall = place.text().startsWith("(", column); // where CEL puts a function it does not know
            message = "unknown " + (isCall ? "function '" : "name '") + OneLine.shortened(name) + "'"
                    + NearestName.of(name, isCall ? FUNCTIONS : scope.names())
                            .map(nearest -> ", did you mean '" + nearest + "'?")
                            .orElse("");
        } else {
            message = ExpressionComplaint.of(message)
                    + (mixesNumbers(message) ? "; write a whole number beside a double with a point, as in 2.0" : "");
        }
        return place.error("column " + (column + 1) + " of \"" + excerpt(place, column) + "\": " + message);
    }

    private static boolean mixesNumbers(String message) {
        Matcher applied = APPLIED.matcher(message);
        return applied.find()
                && applied.group(1).contains("int")
                && applied.group(1).contains("double");
    }

    /** CEL complains of {@code account} where it is {@code account.limti} that is not known. */
    private static String wholeName(String text, String name, int column) {
        Matcher dotted = DOTTED.matcher(text);
        boolean found = column <= text.length() && dotted.find(column) && dotted.start() == column;
        return found && dotted.group().startsWith(name + ".") ? dotted.group() : name;
    }

    static String oneLine(ConfigNode place) {
        return OneLine.shortened(place.text().strip().replaceAll("\\s+", " "));
    }

    /** The expression; of a long one what stands around the column. */
    private static String excerpt(ConfigNode place, int column) {
        String text = place.text();
        if (text.length() <= 2 * AROUND) {
            return text.strip().replaceAll("\\s+", " ");
        }
        int from = Math.max(0, Math.min(column, text.length()) - AROUND);
        int to = Math.min(text.length(), from + 2 * AROUND);
        return (from > 0 ? "…" : "")
                + text.substring(from, to).replaceAll("\\s+", " ")
                + (to < text.length() ? "…" : "");
    }

    private static CelCompiler newCompiler(Collection<Scope.Variable> variables) {
        CelCompilerBuilder builder = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(CelOptions.current()
                        .enableHeterogeneousNumericComparisons(true)
                        .build())
                .addFunctionDeclarations(DECLARED);
        for (Scope.Variable variable : variables) {
            builder.addVar(variable.name(), celType(variable.type()));
        }
        return builder.build();
    }

    private static List<CelFunctionDecl> functions() {
        List<CelFunctionDecl> functions = new ArrayList<>();
        for (String name : List.of("max", "min")) {
            functions.add(CelFunctionDecl.newFunctionDeclaration(
                    name,
                    CelOverloadDecl.newGlobalOverload(
                            name + "_double", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.DOUBLE),
                    CelOverloadDecl.newGlobalOverload(
                            name + "_int_double", SimpleType.DOUBLE, SimpleType.INT, SimpleType.DOUBLE),
                    CelOverloadDecl.newGlobalOverload(
                            name + "_double_int", SimpleType.DOUBLE, SimpleType.DOUBLE, SimpleType.INT),
                    CelOverloadDecl.newGlobalOverload(name + "_int", SimpleType.INT, SimpleType.INT, SimpleType.INT)));
        }
        functions.add(CelFunctionDecl.newFunctionDeclaration(
                "abs",
                CelOverloadDecl.newGlobalOverload("abs_double", SimpleType.DOUBLE, SimpleType.DOUBLE),
                CelOverloadDecl.newGlobalOverload("abs_int", SimpleType.INT, SimpleType.INT)));
        List<CelOverloadDecl> present = new ArrayList<>();
        for (CelType type : ImmutableList.of(
                SimpleType.BOOL, SimpleType.INT, SimpleType.DOUBLE, SimpleType.STRING, SimpleType.TIMESTAMP)) {
            present.add(CelOverloadDecl.newGlobalOverload("present_" + type.name(), SimpleType.BOOL, type));
        }
        functions.add(CelFunctionDecl.newFunctionDeclaration("present", present));
        return functions;
    }

    private static CelType celType(FieldType type) {
        return switch (type) {
            case STRING -> SimpleType.STRING;
            case LONG -> SimpleType.INT;
            case DOUBLE, MONEY -> SimpleType.DOUBLE;
            case BOOL -> SimpleType.BOOL;
            case TIMESTAMP -> SimpleType.TIMESTAMP;
        };
    }
}
