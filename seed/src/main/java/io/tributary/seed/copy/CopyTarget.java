package io.tributary.seed.copy;

import io.tributary.common.value.TableName;
import io.tributary.seed.table.ShardTable;
import java.util.List;

/** What a worker of a copy writes into: a server or a folder. For one thread. */
interface CopyTarget extends AutoCloseable {
    /** Prepares it for a copy; it may be prepared already. */
    void prepare();

    /** The parts of a member that an earlier run has begun; empty if it has begun none. */
    List<MemberPart> parts(TableName table, ShardTable member);

    /** Begins the parts of a member. */
    List<MemberPart> begin(TableName table, ShardTable member, List<KeyBounds> bounds);

    /** Receives rows of a part. */
    RowSink rows(CopyPlan plan, MemberPart part, CopyListener listener);

    /** All rows of a part are stored. */
    void done(TableName table, MemberPart part);

    /** Receives rows of a snapshot. */
    RowSink snapshot(CopyPlan plan, CopyListener listener);

    /** Removes the rows of a table that is copied from a snapshot. */
    void empty(TableName table);

    /** Forgets how far a table is copied. */
    void forget(TableName table);

    @Override
    void close();
}
