/**
 * Expressions of a policy: parsed and type-checked by CEL, evaluated by compiled nodes over typed slots, since CEL's own
 * runtime costs some hundred times more per rule. An absent value makes what depends on it unknown (Kleene's logic, as
 * CEL treats errors): {@code false && unknown} is false, {@code true || unknown} is true, else unknown.
 */
@NullMarked
package dev.vigil.scoring.expression;

import org.jspecify.annotations.NullMarked;
