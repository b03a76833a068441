package io.tributary.common.value;

/**
 * The rare part of a token: a statement, or why an operator has to decide about it. No token has both; one field for the two keeps
 * tokens small.
 */
public sealed interface DdlOrQuestion permits Ddl, Question {}
