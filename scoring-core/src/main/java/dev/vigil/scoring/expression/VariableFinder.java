package dev.vigil.scoring.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelIdent;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExprVisitor;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The variables of a scope that a parsed expression may mean. */
final class VariableFinder extends CelExprVisitor {
    private final Scope scope;
    private final Set<Scope.Variable> found = new LinkedHashSet<>();

    private VariableFinder(Scope scope) {
        this.scope = scope;
    }

    static Set<Scope.Variable> in(CelAbstractSyntaxTree tree, Scope scope) {
        VariableFinder finder = new VariableFinder(scope);
        finder.visit(tree);
        return finder.found;
    }

    @Override
    protected void visit(CelExpr expr, CelIdent ident) {
        add(dotted(expr));
        super.visit(expr, ident);
    }

    @Override
    protected void visit(CelExpr expr, CelSelect select) {
        add(dotted(expr));
        super.visit(expr, select);
    }

    private void add(@Nullable String name) {
        if (name != null) {
            scope.find(name).ifPresent(found::add);
        }
    }

    /** The name that identifiers and points make; null for a part of something else. */
    private static @Nullable String dotted(CelExpr expr) {
        return switch (expr.getKind()) {
            case IDENT -> expr.ident().name().replaceFirst("^\\.", "");
            case SELECT -> {
                String before = dotted(expr.select().operand());
                yield before == null ? null : before + "." + expr.select().field();
            }
            default -> null;
        };
    }
}
