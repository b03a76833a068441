package io.tributary.schema.definition;

/**
 * How a generated column is computed.
 *
 * @param expression in canonical form, without parentheses around it
 * @param stored whether its value is stored in the table; a virtual one is computed when it is read
 */
public record Generation(String expression, boolean stored) {}
