package io.tributary.seed.verify;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares sets of rows that looked different once more, until each is equal, differs for certain, or has changed too often.
 *
 * <p>One round: S0 is the digest on the shards. Then it waits until the replica shows all that S0 has seen. R is the digest on the replica. Then it waits
 * until the shards show all that R has seen. S1 is the digest on the shards. If R equals S0 or S1, the rows are equal. If S0 = S1 and R is another one,
 * the round counts; after three rounds with the same S the rows differ.
 *
 * <p>No false finding: R contains every change of the rows up to S0, and none behind S1. If the rows did not change between S0 and S1, R must be equal to
 * both. So a round that counts is a true difference, unless the rows changed between S0 and S1 and had the old values again at S1. To be taken for a
 * difference such rows would have to do this in three rounds, without being seen with another value at six moments. With locks ({@link Confirmation})
 * this too is excluded: no row changes while it is locked.
 *
 * <p>No missed one: a row that differs on the replica, and that no later transaction corrects, differs in every round: R is never S. If the shard changes
 * it in each of the rounds, it is reported as {@link Finding.Kind#BUSY}, never as equal. Such a row is seldom wrong: see {@link Finding#isDifference}.
 */
final class Recheck {
    private static final int ROUNDS_WANTED = 3;
    private static final int MOST_ROUNDS = 12;

    private final TableReader reader;
    private final StreamPosition position;
    private final Duration limit;

    Recheck(TableReader reader, StreamPosition position, Duration limit) {
        this.reader = reader;
        this.position = position;
        this.limit = limit;
    }

    /**
     * What was found.
     *
     * @param different conditions whose rows differ
     * @param busy conditions whose rows changed too often
     */
    record Outcome(List<String> different, List<String> busy) {}

    /** The rounds of one condition that counted, and the digest on the shards in them. */
    private record Seen(int rounds, RowDigest digest) {}

    /** @param conditions of the rows, at most some thousand */
    Outcome run(List<String> conditions) {
        Map<String, Seen> pending = new LinkedHashMap<>();
        conditions.forEach(each -> pending.put(each, new Seen(0, RowDigest.NONE)));
        List<String> different = new ArrayList<>();
        for (int round = 0; round < MOST_ROUNDS && !pending.isEmpty(); round++) {
            round(pending, different);
        }
        return new Outcome(different, List.copyOf(pending.keySet()));
    }

    private void round(Map<String, Seen> pending, List<String> different) {
        List<String> conditions = List.copyOf(pending.keySet());
        List<RowDigest> before = reader.onShards(conditions, "");
        position.awaitReplica(reader.shards(), limit);
        List<RowDigest> there = reader.onReplica(conditions);
        position.awaitShards(reader.shards(), limit);
        List<RowDigest> after = reader.onShards(conditions, "");
        for (int i = 0; i < conditions.size(); i++) {
            String condition = conditions.get(i);
            if (there.get(i).equals(before.get(i)) || there.get(i).equals(after.get(i))) {
                pending.remove(condition);
                continue;
            }
            Seen next = next(pending.get(condition), before.get(i), after.get(i));
            pending.put(condition, next);
            if (next.rounds() == ROUNDS_WANTED) {
                different.add(condition);
                pending.remove(condition);
            }
        }
    }

    private static Seen next(Seen seen, RowDigest before, RowDigest after) {
        if (!before.equals(after)) {
            return new Seen(0, after);
        }
        return seen.rounds() > 0 && !seen.digest().equals(before)
                ? new Seen(1, after)
                : new Seen(seen.rounds() + 1, after);
    }
}
