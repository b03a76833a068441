package io.tributary.node.command.order;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Xid;
import io.tributary.extractor.ShardFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The place of every shard at one point of the global order.
 *
 * @param gno the number of the last transaction of the binlog before it; 0 for the beginning
 * @param cut the number of the last cut before it
 * @param shards in the order of their indexes
 */
record GlobalPoint(long gno, long cut, List<ShardPoint> shards) {
    GlobalPoint {
        shards = List.copyOf(shards);
    }

    /**
     * The place of one shard.
     *
     * @param uuid the UUID of the server that was read, "" while unknown
     * @param executed the GTIDs of the shard that precede the point
     * @param file a binlog file of the shard; "" while unknown
     * @param offset everything before this offset precedes the point
     * @param isEnd whether everything after the offset follows the point
     * @param open branches that precede the point and are only prepared by {@code executed}: they have to be committed there
     */
    record ShardPoint(
            String name, String uuid, GtidSet executed, String file, long offset, boolean isEnd, List<Xid> open) {
        /** Whether the shard is a MariaDB server. */
        boolean isMariadb() {
            return executed.sids().stream().anyMatch(MariadbGtids::isOne);
        }

        /** {@code executed} as the shard's tools take it: for MariaDB the newest GTID of each domain. */
        String gtids() {
            return isMariadb() ? MariadbGtids.position(executed) : ShardFacts.shown(executed);
        }

        private static ShardPoint of(
                ShardCut cut, GtidSet executed, SourceTransaction last, Set<Xid> open, boolean mayEnd) {
            List<Xid> sorted = new ArrayList<>(open);
            sorted.sort(Comparator.comparing(Xid::toString));
            boolean isCut = last == null;
            return new ShardPoint(
                    cut.name(),
                    cut.serverUuid(),
                    executed,
                    isCut ? cut.file() : last.file(),
                    isCut ? cut.offset() : last.end(),
                    mayEnd && (!isCut || cut.resume().equals(cut.frontier())),
                    sorted);
        }
    }

    /** The point of a cut. */
    static GlobalPoint of(Cut cut) {
        List<ShardPoint> points = new ArrayList<>();
        for (int i = 0; i < cut.shards().size(); i++) {
            ShardCut shard = cut.shards().get(i);
            points.add(ShardPoint.of(shard, shard.frontier(), null, open(cut, i), cut.tso() == 0));
        }
        return new GlobalPoint(cut.transactions(), cut.number(), points);
    }

    /** A point after a cut, at which the queues of all shards are now. */
    static GlobalPoint after(Cut cut, long gno, List<SourceQueue> queues) {
        List<ShardPoint> points = new ArrayList<>();
        for (SourceQueue queue : queues) {
            points.add(ShardPoint.of(queue.from(), queue.executed(), queue.last(), queue.open(), true));
        }
        return new GlobalPoint(gno, cut.number(), points);
    }

    /** The branches of a shard that are in the output before a cut and whose XA COMMIT is not. */
    static Set<Xid> open(Cut cut, int shard) {
        Set<Xid> open = new HashSet<>();
        cut.open().stream().filter(branch -> branch.shard() == shard).forEach(branch -> open.add(branch.xid()));
        return open;
    }
}
