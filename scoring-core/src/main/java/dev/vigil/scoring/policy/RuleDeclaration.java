package dev.vigil.scoring.policy;

import dev.vigil.config.ConfigNode;

/**
 * A rule.
 *
 * @param score what a hit adds, 0 to 1000
 * @param shadow evaluated and recorded, without a part in score or decision
 */
public record RuleDeclaration(String id, ConfigNode when, int score, String reason, boolean shadow) {}
