package io.tributary.collector.order.tso;

import io.tributary.collector.order.ShardState;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Detects a transaction whose branches have different TSOs: stores the newest gtrids with TSO and shards. If the same gtrid has another TSO on a
 * shard that had it before, it is another transaction. On a shard that did not have it, the branch has a wrong TSO.
 */
final class TsoGtrids {
    private static final int REMEMBERED = 4096;

    private final Map<Xid, Use> newest = new LinkedHashMap<>();

    private record Use(long tso, String firstShard, BitSet shards) {}

    /**
     * A branch with a TSO was received.
     *
     * @throws TributaryException TSO_REFUSED
     */
    void prepared(ShardState state, Token prepare) {
        Xid global = prepare.xid().global();
        Use use = newest.get(global);
        if (use == null || use.tso() != prepare.tso()) {
            if (use != null && !use.shards().get(prepare.shard())) {
                throw new TributaryException(
                        ErrorCode.TSO_REFUSED,
                        "shard " + state.shardName() + ", " + prepare.file() + " before " + prepare.end() + ", "
                                + prepare.sid() + ":" + prepare.gno() + ": expected TSO " + use.tso()
                                + ", which the branch on shard "
                                + use.firstShard() + " has, found " + prepare.tso() + ": XA "
                                + prepare.xid() + "; all branches must have the same TSO, and a gtrid must not be"
                                + " used again within " + REMEMBERED + " transactions");
            }
            newest.remove(global);
            use = new Use(prepare.tso(), state.shardName(), new BitSet());
            newest.put(global, use);
            if (newest.size() > REMEMBERED) {
                var oldest = newest.keySet().iterator();
                oldest.next();
                oldest.remove();
            }
        }
        use.shards().set(prepare.shard());
    }
}
