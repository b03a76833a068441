package io.tributary.common.value;

/**
 * The rare part of a token: a statement, a question to the operator about it, or the effect of a statement that is not written on hidden
 * tables. No token has two of them; a single field keeps tokens small.
 */
public sealed interface DdlOrQuestion permits Ddl, Question, HiddenChange {}
