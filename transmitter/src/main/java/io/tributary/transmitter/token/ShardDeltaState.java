package io.tributary.transmitter.token;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;

/** The values of a shard's last token, which both ends of a stream of tokens know, so that the next token carries only differences. */
final class ShardDeltaState {
    String file;
    Sid sid;
    long gno;
    long end;
    long sequenceNumber;
    private final GtidSet.Builder passed;

    /** @param from the position at which the shard's tokens begin */
    ShardDeltaState(ShardCut from) {
        this.file = "";
        this.passed = from.resume().toBuilder();
    }

    /** All GTIDs before the next token. */
    GtidSet passed() {
        return passed.build();
    }

    /** Adds the GTID of the last token, from {@link #sid} and {@link #gno}. */
    void pass() {
        passed.add(sid, gno);
    }
}
