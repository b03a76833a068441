package io.tributary.changes;

import java.util.List;

/**
 * A transaction that was read.
 *
 * @param rows in order
 * @param statements in order
 * @param file of its end
 * @param position after its last event
 */
record ReadTransaction(
        ChangeTransaction begin, List<ReadRow> rows, List<ChangeStatement> statements, String file, long position) {}
