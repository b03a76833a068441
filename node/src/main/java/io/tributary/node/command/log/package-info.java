/**
 * The command {@code log}: shows the changes of rows in the binlog of a node, and makes the statements that undo them.
 *
 * <pre>
 *   StoredFiles ── LogWalk (skips what LogSelection excludes) ──┐
 *   (of the folder and of the backup)  StoredDefinitions        ├── TransactionChoice ── LogHandler ──> TextLog, FactsLog or UndoLog
 *   MySQL port of a node ── ServedLog ── ServedEvents ──────────┘
 *   (another machine)       ServerDefinitions
 * </pre>
 */
package io.tributary.node.command.log;
