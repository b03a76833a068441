package io.tributary.schema.definition;

/**
 * A CHECK constraint.
 *
 * @param name of the constraint
 * @param expression in canonical form, without parentheses around it
 * @param enforced false for NOT ENFORCED
 */
public record Check(String name, String expression, boolean enforced) {}
