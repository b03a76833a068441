/**
 * The command {@code log}: shows the changes of rows in the binlog files of a node, and makes the statements that undo them.
 *
 * <pre>
 *   StoredFiles ── LogWalk (skips what LogSelection excludes) ── ChangeInput ── LogHandler ──> TextLog, JsonLog or UndoLog
 *                     └── StoredDefinitions (the journal of table definitions)
 * </pre>
 */
package io.tributary.node.command.log;
