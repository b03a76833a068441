package io.tributary.collector.schema;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.store.JournalMap;

/**
 * All state of schema changes that an order of transactions needs; used only by its thread.
 *
 * @param changes decides about statements
 * @param questions the questions for which shards are held
 * @param watch shows both
 * @param journal the state that outlives this node
 */
public record SchemaOrder(SchemaChanges changes, OpenQuestions questions, SchemaStatus watch, SchemaJournal journal) {
    /** The state in a cut without a journal. */
    public static SchemaOrder of(Cut start, long waitNanos, long warnNanos) {
        return of(start, new SchemaJournal(JournalMap.onHeap()), waitNanos, warnNanos);
    }

    /**
     * The state in a cut.
     *
     * @param journal its state at this cut
     * @param waitNanos time after which a statement that waits is reported in the log; 0 for never
     * @param warnNanos time after which a statement that some members lack is reported in the log
     */
    public static SchemaOrder of(Cut start, SchemaJournal journal, long waitNanos, long warnNanos) {
        SchemaChanges changes = new SchemaChanges(start.shards(), start.schema(), journal);
        OpenQuestions questions = new OpenQuestions(start.shards());
        SchemaStatus watch = new SchemaStatus(changes, questions, waitNanos, warnNanos);
        return new SchemaOrder(changes, questions, watch, journal.requireFits(start));
    }

    /** Adds a shard, from this position on. */
    public void join(int shard, ShardCut from) {
        changes.join(shard, from.name(), from.frontier());
        questions.join(shard, from);
    }

    /** Removes a shard that has left. */
    public void leave(int shard) {
        changes.leave(shard);
        questions.leave(shard);
    }

    /** Increases whenever a shard that waits or is held may continue. */
    public long version() {
        return changes.version() + questions.version();
    }

    /** Whether a shard waits at a statement or is held at a question. */
    public boolean isHeld(int shard) {
        return changes.waiting().stream().anyMatch(each -> each.token().shard() == shard)
                || questions.all().stream().anyMatch(each -> each.shard() == shard);
    }
}
