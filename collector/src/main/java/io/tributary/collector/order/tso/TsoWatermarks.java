package io.tributary.collector.order.tso;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import java.util.Arrays;

/** The TSO that each shard has passed: no token with a TSO up to a shard's watermark can be received from it any more. */
final class TsoWatermarks {
    /** The value of a shard that does not have to pass any TSO. */
    private static final long ALL = Long.MAX_VALUE;

    private long[] newest;

    /** The TSO that a shard has passed when it joins: it sends nothing with a smaller one. */
    private long[] floors;

    private long[] marks;
    private MinimumTree passed;

    /** @param from the initial value of all shards: the TSO of a cut */
    TsoWatermarks(int shards, long from) {
        newest = new long[shards];
        Arrays.fill(newest, from);
        floors = new long[shards];
        marks = newest.clone();
        passed = new MinimumTree(marks);
    }

    /**
     * A token was received.
     *
     * @throws TributaryException ORDER_CONTRADICTION if its TSO is smaller than the one before: the tokens are not sorted
     */
    void received(Token token, String shardName) {
        long place = token.tsoPlace();
        if (place < newest[token.shard()]) {
            throw new TributaryException(
                    ErrorCode.ORDER_CONTRADICTION,
                    "shard " + shardName + ", " + token.file() + " before " + token.end() + ", " + token.sid() + ":"
                            + token.gno() + ": expected TSO " + newest[token.shard()] + " or more, found " + place
                            + (token.xid() == null ? "" : ": XA " + token.xid()));
        }
        newest[token.shard()] = place;
        mark(token.shard(), Math.max(floors[token.shard()], isLastOfItsTso(token) ? place : place - 1));
    }

    private void mark(int shard, long tso) {
        marks[shard] = tso;
        passed.set(shard, tso);
    }

    /** Adds a shard that has to pass TSOs; it has no part in transactions whose TSO all others have passed by now. */
    void addShard() {
        int shard = marks.length;
        newest = Arrays.copyOf(newest, shard + 1);
        floors = Arrays.copyOf(floors, shard + 1);
        floors[shard] = passed();
        marks = Arrays.copyOf(marks, shard + 1);
        marks[shard] = floors[shard];
        passed = new MinimumTree(marks);
    }

    /** The shard does not have to pass any TSO any more. */
    void removeShard(int shard) {
        mark(shard, ALL);
    }

    /** Whether the others wait for this shard. */
    boolean isLast(int shard) {
        return marks[shard] == passed();
    }

    /** After a branch, another branch with the same TSO may follow, also if one was rolled back. */
    private static boolean isLastOfItsTso(Token token) {
        return switch (token.kind()) {
            case LOCAL -> true;
            case ROUND, DDL, COMMIT, PREPARE, ROLLBACK, SKIPPED -> !token.hasTso();
        };
    }

    /** The largest TSO that every shard has passed. */
    long passed() {
        return passed.minimum();
    }
}
