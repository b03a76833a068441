package io.tributary.seed.copy;

import io.tributary.common.value.TableName;
import io.tributary.schema.sql.SqlNames;
import io.tributary.seed.table.ShardTable;
import java.util.List;

/** A server that has the tables, with the progress of the copy in {@link ChunkLog}. */
final class ServerTarget implements CopyTarget {
    private final TargetSession target;

    /** @param target is closed with it */
    ServerTarget(TargetSession target) {
        this.target = target;
    }

    @Override
    public void prepare() {
        ChunkLog.create(target.session());
    }

    @Override
    public List<MemberPart> parts(TableName table, ShardTable member) {
        return ChunkLog.parts(target.session(), table, member);
    }

    @Override
    public List<MemberPart> begin(TableName table, ShardTable member, List<KeyBounds> bounds) {
        ChunkLog.add(target, table, member, bounds);
        return parts(table, member);
    }

    @Override
    public RowSink rows(CopyPlan plan, MemberPart part, CopyListener listener) {
        return new RowWriter(
                plan,
                "REPLACE",
                target,
                sent -> ChunkLog.progress(plan.name(), part, sent.key(), new Amount(sent.rows(), sent.valueBytes())),
                listener);
    }

    @Override
    public void done(TableName table, MemberPart part) {
        ChunkLog.done(target, table, part);
    }

    @Override
    public RowSink snapshot(CopyPlan plan, CopyListener listener) {
        return new RowWriter(plan, "INSERT", target, sent -> "", listener);
    }

    @Override
    public void empty(TableName table) {
        target.session().run(target.check(), "TRUNCATE TABLE " + SqlNames.name(table));
    }

    @Override
    public void forget(TableName table) {
        ChunkLog.forget(target, table);
    }

    @Override
    public void close() {
        target.close();
    }
}
