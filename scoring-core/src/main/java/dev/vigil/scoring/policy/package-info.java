/**
 * What a fraud team writes: event types, features, lists, rules, decisions. Read from YAML with every complaint at its
 * place. Values only; {@code dev.vigil.scoring} makes a plan of them.
 */
@NullMarked
package dev.vigil.scoring.policy;

import org.jspecify.annotations.NullMarked;
