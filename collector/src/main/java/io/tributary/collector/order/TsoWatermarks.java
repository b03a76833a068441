package io.tributary.collector.order;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import java.util.Arrays;

/** How far each shard has come in TSOs: nothing that has a TSO up to a shard's watermark can still be received from it. */
final class TsoWatermarks {
    /** Of a shard of which nothing is demanded. */
    private static final long ALL = Long.MAX_VALUE;

    private long[] newest;

    /** What a shard has passed when it joins: it sends nothing below. */
    private long[] floors;

    private long[] marks;
    private MinimumTree passed;

    /** @param from where all of them begin: the TSO of a cut */
    TsoWatermarks(int shards, long from) {
        newest = new long[shards];
        Arrays.fill(newest, from);
        floors = new long[shards];
        marks = newest.clone();
        passed = new MinimumTree(marks);
    }

    /**
     * A token came.
     *
     * @throws TributaryException ORDER_CONTRADICTION when it goes back: it was not sorted
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

    /** One more shard has to pass, which has no part in what all the others have passed by now. */
    void demand() {
        int shard = marks.length;
        newest = Arrays.copyOf(newest, shard + 1);
        floors = Arrays.copyOf(floors, shard + 1);
        floors[shard] = passed();
        marks = Arrays.copyOf(marks, shard + 1);
        marks[shard] = floors[shard];
        passed = new MinimumTree(marks);
    }

    /** The shard has to pass nothing any more. */
    void release(int shard) {
        mark(shard, ALL);
    }

    /** Whether the others wait for this shard. */
    boolean isLast(int shard) {
        return marks[shard] == passed();
    }

    /** Of a branch's TSO another branch may still come, also where one was rolled back. */
    private static boolean isLastOfItsTso(Token token) {
        return switch (token.kind()) {
            case LOCAL -> true;
            case ROUND, DDL, COMMIT, PREPARE, ROLLBACK, SKIPPED -> !token.hasTso();
        };
    }

    /** The largest TSO that every shard has passed. */
    long passed() {
        return passed.least();
    }
}
