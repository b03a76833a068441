package io.tributary.common.value;

/**
 * The rare part of a token: a statement, why an operator has to decide about it, or what a statement that is not written does to hidden
 * tables. No token has two of them; one field for all keeps tokens small.
 */
public sealed interface DdlOrQuestion permits Ddl, Question, HiddenChange {}
