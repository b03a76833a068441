package io.tributary.collector.order;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import java.util.Arrays;

/** How far each shard has come in TSOs: nothing that has a TSO up to a shard's watermark can still be received from it. */
final class TsoWatermarks {
    private final long[] newest;
    private final MinimumTree passed;

    /** @param from where all of them begin: the TSO of a cut */
    TsoWatermarks(int shards, long from) {
        newest = new long[shards];
        Arrays.fill(newest, from);
        passed = new MinimumTree(newest);
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
        passed.set(token.shard(), isLastOfItsTso(token) ? place : place - 1);
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
