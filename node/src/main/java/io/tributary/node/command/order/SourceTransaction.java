package io.tributary.node.command.order;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;

/**
 * A transaction of a shard's binlog.
 *
 * @param kind what it does
 * @param gtid its GTID on the shard
 * @param file the shard's binlog file
 * @param end the offset after it
 * @param micros commit time as the pipeline counts it, µs since 1970; 0 if the server does not write one
 * @param xid of a branch, else null
 * @param hasEvents whether it has rows or a statement that may be in the output
 * @param digest see {@link RowsDigest}
 */
record SourceTransaction(
        TokenKind kind, Gtid gtid, String file, long end, long micros, Xid xid, boolean hasEvents, long digest) {
    /** Takes the values of a token and releases its payload. */
    static SourceTransaction take(Token token) {
        boolean hasEvents = token.payload() != null;
        long digest = hasEvents ? RowsDigest.of(token.payload()) : 0;
        token.release();
        return new SourceTransaction(
                token.kind(),
                new Gtid(token.sid(), token.gno()),
                token.file(),
                token.end(),
                token.commitMicros(),
                token.xid(),
                hasEvents,
                digest);
    }
}
