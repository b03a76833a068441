/**
 * Schema changes of the members of logical tables (docs/ordering.md, "DDL"): when a statement is written, whose rows are left out, the definitions of
 * tables, and the questions to an operator. The members, and the statements that each of them has sent, are in {@code member}.
 *
 * <pre>
 *   DDL token received --&gt; member.ReceivedStatements: statements that are not processed yet, by member
 *   DDL token processed --&gt; SchemaChanges: written, not written, or the shard waits
 *   rows to be written --&gt; RowRule: written unchanged, left out, written under a new name, or the shard is held
 * </pre>
 */
package io.tributary.collector.schema;
