/** The statements of readers and their answers: SELECT expressions, SET, SHOW, and commands of administrators. */
package io.tributary.serve.statement;
