package io.tributary.collector.order;

import io.tributary.collector.schema.Queues;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The shards that wait at a statement or are held at a question; they are tried again when that may be over. */
final class HeldLines implements Queues {
    private final ShardLines lines;
    private final RunnableLines runnable;
    private final SchemaOrder schema;
    private final List<ShardLine> held = new ArrayList<>();
    private long tried;
    private boolean isRetryDue;

    HeldLines(ShardLines lines, RunnableLines runnable, SchemaOrder schema) {
        this.lines = lines;
        this.runnable = runnable;
        this.schema = schema;
    }

    void add(ShardLine line) {
        held.add(line);
    }

    /** A shard has left. */
    void remove(ShardLine line) {
        held.remove(line);
    }

    /** To be called now and then: where a statement waits for others to stand at theirs, only their queues tell. */
    void tick() {
        isRetryDue |= !held.isEmpty() && schema.changes().dependsOnQueues();
    }

    /** Makes the held shards runnable again if what holds them may be over. */
    void retry() {
        if (held.isEmpty() || !isRetryDue && schema.version() == tried) {
            return;
        }
        isRetryDue = false;
        schema.questions().retry();
        held.forEach(runnable::add);
        held.clear();
        tried = schema.version();
    }

    @Override
    public boolean standsAt(int shard, String partId) {
        ShardLine line = lines.get(shard);
        if (line == null || line.depth() == 0) {
            return false;
        }
        Token head = line.head();
        return head.ddl() != null
                && head.ddl().parts().stream().anyMatch(part -> part.id().equals(partId));
    }

    @Override
    public boolean waitsFor(int shard, int other) {
        return waitsFor(lines.get(shard), other, new HashSet<>());
    }

    private static boolean waitsFor(ShardLine line, int other, Set<ShardLine> seen) {
        if (line == null || line.waitsFor() == null || !seen.add(line)) {
            return false;
        }
        for (Branch branch : line.waitsFor().branches()) {
            boolean isBehindOther = !branch.isReady() && branch.shard() == other;
            if (isBehindOther || !branch.isReady() && waitsFor(branch.line(), other, seen)) {
                return true;
            }
        }
        return false;
    }
}
