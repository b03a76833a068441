package io.tributary.schema.definition;

/**
 * How a generated column is made.
 *
 * @param expression in canonical form, without parentheses around it
 * @param stored whether its value stands in the table; a virtual one is made when it is read
 */
public record Generation(String expression, boolean stored) {}
