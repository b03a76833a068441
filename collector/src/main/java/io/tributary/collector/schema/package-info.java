/**
 * Schema changes over the members of logical tables (docs/ordering.md, "DDL"): which members there are, which statements have reached
 * which of them, when a statement is written, whose rows are left out, and what an operator is asked.
 *
 * <pre>
 *   DDL token received --&gt; Arrivals: what is still to be processed, by member
 *   DDL token processed --&gt; SchemaChanges: written, swallowed, or the shard waits
 *   rows to be written --&gt; RowRules: passed, left out, written under a new name, or the shard is held
 * </pre>
 */
package io.tributary.collector.schema;
