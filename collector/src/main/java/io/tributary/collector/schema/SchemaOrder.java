package io.tributary.collector.schema;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.store.JournalMap;

/**
 * All that an order of transactions needs to know of schema changes; used by its thread alone.
 *
 * @param changes decides about statements
 * @param questions what shards are held for
 * @param watch shows both
 * @param journal what outlives this node
 */
public record SchemaOrder(SchemaChanges changes, Questions questions, SchemaWatch watch, SchemaJournal journal) {
    /** As a cut without a journal says it. */
    public static SchemaOrder of(Cut start, long waitNanos, long warnNanos) {
        return of(start, new SchemaJournal(JournalMap.onHeap()), waitNanos, warnNanos);
    }

    /**
     * As a cut says it.
     *
     * @param journal as it is at this cut
     * @param waitNanos after which a statement that waits is named in the log; 0 for never
     * @param warnNanos after which a statement that some members lack is named in the log
     */
    public static SchemaOrder of(Cut start, SchemaJournal journal, long waitNanos, long warnNanos) {
        SchemaChanges changes = new SchemaChanges(start.shards(), start.schema(), journal);
        Questions questions = new Questions(start.shards());
        SchemaWatch watch = new SchemaWatch(changes, questions, waitNanos, warnNanos);
        return new SchemaOrder(changes, questions, watch, journal.requireFits(start));
    }

    /** One more shard takes part, from this place on. */
    public void join(int shard, ShardCut from) {
        changes.join(shard, from.name(), from.frontier());
        questions.join(shard, from);
    }

    /** A shard takes part no more. */
    public void leave(int shard) {
        changes.leave(shard);
        questions.leave(shard);
    }

    /** Grows whenever a shard that waits or is held may go on. */
    public long version() {
        return changes.version() + questions.version();
    }

    /** Whether a shard waits at a statement or is held at a question. */
    public boolean isHeld(int shard) {
        return changes.waiting().stream().anyMatch(each -> each.token().shard() == shard)
                || questions.all().stream().anyMatch(each -> each.shard() == shard);
    }
}
