package io.tributary.testkit.order;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The output of an order for a schedule's logs: transactions by their numbers in the schedule. Releases the payload; rejects a transaction with
 * branches of two transactions.
 */
public final class ReplayedOutput {
    private final List<List<Entry>> logs;
    private final List<Transaction> all = new ArrayList<>();

    /**
     * One transaction of the output.
     *
     * @param number its number in the schedule
     * @param rows rows of each of its branches, by shard
     * @param lastCommitted its last_committed in the output
     */
    public record Transaction(int number, Map<Integer, List<Integer>> rows, long lastCommitted) {}

    public ReplayedOutput(List<List<Entry>> logs) {
        this.logs = logs;
    }

    /** All transactions so far, as a view. */
    public List<Transaction> all() {
        return all;
    }

    /** The number of the next transaction. */
    public long next() {
        return all.size() + 1L;
    }

    public void local(Token token, long lastCommitted) {
        Entry entry = entry(token);
        token.payload().release();
        all.add(new Transaction(entry.transaction(), Map.of(entry.shard(), entry.rows()), lastCommitted));
    }

    /** Returns its number. */
    public long distributed(List<Token> prepares, long lastCommitted) {
        Entry first = entry(prepares.get(0));
        Map<Integer, List<Integer>> rows = new HashMap<>();
        for (Token prepare : prepares) {
            Entry entry = entry(prepare);
            prepare.payload().release();
            rows.put(entry.shard(), entry.rows());
            if (entry.transaction() != first.transaction()) {
                throw new AssertionError("one transaction has branches of two transactions");
            }
        }
        all.add(new Transaction(first.transaction(), rows, lastCommitted));
        return all.size();
    }

    public void committed(Token commit, long number) {
        if (all.get((int) number - 1).number() != entry(commit).transaction()) {
            throw new AssertionError("number " + number + " is not that of " + commit);
        }
    }

    /** The entry of a token. */
    public Entry entry(Token token) {
        int shard = (int) token.sid().uuid().getLeastSignificantBits();
        return logs.get(shard).get((int) token.gno() - 1);
    }

    /** The cut before all entries. */
    public static Cut firstCut(int shards) {
        List<ShardCut> cuts = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            cuts.add(cut(shard, GtidSet.EMPTY, GtidSet.EMPTY));
        }
        return Cut.beginning(cuts).under(1);
    }

    /** The cut of a shard: where it resumes. */
    public static ShardCut cut(int shard, GtidSet resume, GtidSet frontier) {
        return ShardCut.unread(Entry.shardName(shard), "", resume, frontier);
    }

    /** The GTIDs of the first entries of a shard's log. */
    public static GtidSet first(int shard, int count) {
        return count == 0
                ? GtidSet.EMPTY
                : new GtidSet.Builder().addRange(Entry.sid(shard), 1, count).build();
    }
}
