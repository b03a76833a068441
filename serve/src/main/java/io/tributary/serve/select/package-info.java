/**
 * SELECTs on the tables of the output, for tools that copy tables before they read the binlog. A SELECT is translated to each member of the
 * logical table on all shards, and the results are merged and sent row by row. One event loop executes one SELECT: that of its session.
 *
 * <pre>
 *   statement ── TableSelectParser ──> TableSelect ── SelectRun ── MemberSearch ── SelectConnection ──> shard
 *                                                        │                         (one for each shard)
 *                                                  RowTransfer ── MergedRows ── MemberStream <── rows
 *                                                        └──> RowStream ──> client
 * </pre>
 *
 * A SELECT contains all transactions of the binlog that were readable before it: it begins when each shard has executed its frontier of the
 * newest cut. Afterwards the session's questions for the position wait until the binlog contains what the shards had executed at the end of the
 * SELECT ({@link io.tributary.serve.select.ReadBarrier}). So a reader that replays the binlog from a position before the SELECT, each row with
 * its key, to a position after it, has the rows of that position.
 *
 * <p>Bounds: {@link io.tributary.serve.select.SelectSlots} limits the number of SELECTs. {@link io.tributary.serve.select.SelectMemory} takes the rows
 * from the memory of all sessions; a stream without memory does not read its socket, and of several SELECTs that lack memory the youngest ends.
 * {@link io.tributary.serve.select.RowTransfer} passes on a bounded number of rows in one turn of the event loop. A SELECT keeps its slot until
 * {@link io.tributary.serve.select.SessionKill} has ended what it executes on the shards.
 */
package io.tributary.serve.select;
