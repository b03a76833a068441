/**
 * The definitions of tables as they were at a place of the binlog, read from the journal in its files.
 *
 * <pre>
 *   question ── SchemaHistory (its own thread, one question at a time) ── JournalAt ──> KnownTables ──> answer
 * </pre>
 */
package io.tributary.serve.history;
