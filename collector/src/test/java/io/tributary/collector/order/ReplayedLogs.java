package io.tributary.collector.order;

import io.tributary.collector.TestSchema;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.common.value.Token;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** The logs of all shards, received in a random interleaving, and again from a cut. */
final class ReplayedLogs {
    private final List<List<Token>> logs;
    private final SplittableRandom random;
    private final int[] received;

    /** @param logs by shard; none is empty */
    ReplayedLogs(List<List<Token>> logs, SplittableRandom random) {
        this.logs = logs;
        this.random = random;
        this.received = new int[logs.size()];
    }

    int shards() {
        return logs.size();
    }

    /** Resumes with the tokens that a cut lacks. */
    void resume(Cut cut) {
        for (int shard = 0; shard < received.length; shard++) {
            received[shard] = (int) cut.shards().get(shard).resume().count();
        }
    }

    boolean areAllReceived() {
        for (int shard = 0; shard < received.length; shard++) {
            if (received[shard] < logs.get(shard).size()) {
                return false;
            }
        }
        return true;
    }

    /** The next token of any shard; null if that shard has no more. */
    Token next() {
        int shard = random.nextInt(received.length);
        List<Token> log = logs.get(shard);
        return received[shard] == log.size() ? null : log.get(received[shard]++);
    }

    /**
     * The list of a shard's tables, made at any time after the position up to which a cut has processed it.
     *
     * @param least minimum number of tokens that it has executed
     * @param tables the existing tables after that many tokens: logical names by physical ones
     */
    ShardTables listing(int shard, Cut cut, int least, IntFunction<Map<TableName, TableName>> tables) {
        int from = Math.max(least, (int) cut.shards().get(shard).frontier().count());
        int executed = random.nextInt(from, logs.get(shard).size() + 1);
        GtidSet.Builder gtids = new GtidSet.Builder();
        logs.get(shard).subList(0, executed).forEach(token -> gtids.add(token.sid(), token.gno()));
        List<ShardTables.Name> names = tables.apply(executed).entrySet().stream()
                .map(table -> new ShardTables.Name(table.getValue(), table.getKey()))
                .toList();
        return TestSchema.names(gtids.build(), names);
    }
}
