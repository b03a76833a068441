package io.tributary.node.command.order;

import java.util.List;

/**
 * The origin of a transaction of the binlog.
 *
 * @param parts one for each shard's transaction or branch that it contains; empty for a statement that was written when several shards had it
 */
record Origin(List<Part> parts) {
    /** A statement that has no transaction of its own on a shard. */
    static final Origin OF_SEVERAL = new Origin(List.of());

    Origin {
        parts = List.copyOf(parts);
    }

    /**
     * One shard's part.
     *
     * @param shard the shard's name
     * @param transaction the transaction with the events: a local one, a statement, or the XA PREPARE of a branch; null for a branch whose XA PREPARE was
     *     not read
     * @param commit the XA COMMIT of a branch, else null
     */
    record Part(String shard, SourceTransaction transaction, SourceTransaction commit) {}
}
