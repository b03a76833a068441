package io.tributary.extractor.tso;

import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;

/**
 * A branch that is prepared on a shard and not decided there, as an operator sees it: a hole in the shard's TSOs.
 *
 * @param xid bqual included
 * @param sid the source of the GTID of its PREPARE
 * @param gno the number of that GTID
 * @param file the shard's binlog file in which the PREPARE begins
 * @param offset where it begins there
 * @param tso its TSO, 0 while that is not known
 * @param ageNanos how long ago it was read
 * @param preparedMicros when it was prepared, µs since 1970 by the shard's clock; 0 where the shard does not say
 * @param payloadBytes of its rows
 * @param heldBack transactions and decisions of its shard that wait until it, or another such branch, is decided
 */
public record UndecidedBranch(
        Xid xid,
        Sid sid,
        long gno,
        String file,
        long offset,
        long tso,
        long ageNanos,
        long preparedMicros,
        long payloadBytes,
        int heldBack) {

    static UndecidedBranch of(Hole hole, long nanoTime, int heldBack) {
        Token prepare = hole.prepare();
        return new UndecidedBranch(
                prepare.xid(),
                prepare.sid(),
                prepare.gno(),
                prepare.before() == null ? prepare.file() : prepare.before().file(),
                prepare.before() == null ? prepare.end() : prepare.before().offset(),
                Math.max(0, prepare.tso()),
                nanoTime - hole.sinceNanos(),
                prepare.commitMicros(),
                prepare.payload() == null ? 0 : prepare.payload().length(),
                heldBack);
    }
}
