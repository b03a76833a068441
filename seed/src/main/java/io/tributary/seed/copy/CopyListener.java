package io.tributary.seed.copy;

import io.tributary.common.value.TableName;

/** The progress of a copy. Its methods are called by the workers, several at a time, and must not block. */
public interface CopyListener {
    /** Ignores everything. */
    CopyListener NONE = new CopyListener() {};

    /** A member is about to be copied: estimates by the statistics of the shard, once for each member. */
    default void planned(TableName table, long rows, long bytes) {}

    /** Rows were written, or had been written before a restart; bytes of the values as text. */
    default void copied(TableName table, long rows, long bytes) {}

    /** All members of a table are copied. */
    default void finished(TableName table) {}
}
