package io.tributary.transmitter;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut.ShardCut;

/** What both ends of a stream of tokens know of a shard's last token, so that the next one needs to say little. */
final class ShardTrail {
    String file;
    Sid sid;
    long gno;
    long end;
    long sequenceNumber;
    private final GtidSet.Builder passed;

    /** @param from where the shard's tokens begin */
    ShardTrail(ShardCut from) {
        this.file = "";
        this.passed = from.resume().toBuilder();
    }

    /** All GTIDs in front of the next token. */
    GtidSet passed() {
        return passed.build();
    }

    /** A token has gone by whose source and number stand here. */
    void pass() {
        passed.add(sid, gno);
    }
}
