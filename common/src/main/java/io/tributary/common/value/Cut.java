package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.List;
import java.util.Set;

/**
 * A consistent point between two output transactions: where every shard is to be resumed, and what a new collector has to
 * know (ordering.md, "The cut").
 *
 * @param epoch the epoch of the writer of rounds under which it was made
 * @param number running number of cuts, 0 for the first of all; never goes back
 * @param transactions output transactions before it = the gno of the newest one
 * @param tableIds the highest global table id that was given out
 * @param tso `tso` order: all that has a TSO up to this one is in front of it, on every shard; 0 in `xa` order
 * @param shards one for each shard, in the order of their indexes
 * @param open branches of transactions already emitted whose commit is not yet processed on their shard
 * @param ddls DDL statements that have not arrived from every shard equally often
 */
public record Cut(
        long epoch,
        long number,
        long transactions,
        long tableIds,
        long tso,
        List<ShardCut> shards,
        Set<OpenBranch> open,
        List<PendingDdl> ddls) {
    public Cut {
        shards = List.copyOf(shards);
        open = Set.copyOf(open);
        ddls = List.copyOf(ddls);
    }

    /** Whether the other one names the same shards in the same order, so that indexes mean the same in both. */
    public boolean hasSameShards(Cut other) {
        boolean isSame = shards.size() == other.shards.size();
        for (int i = 0; isSame && i < shards.size(); i++) {
            isSame = shards.get(i).name().equals(other.shards.get(i).name());
        }
        return isSame;
    }

    /** The same cut under an epoch that is not older. */
    public Cut under(long newer) {
        return new Cut(newer, number, transactions, tableIds, tso, shards, open, ddls);
    }

    /** The next cut, at the same place, with the order to leave one more transaction of a shard out. */
    public Cut leavingOut(String shard, Gtid gtid) {
        List<ShardCut> changed = shards.stream()
                .map(each -> each.name().equals(shard) ? each.leavingOut(gtid) : each)
                .toList();
        return new Cut(epoch, number + 1, transactions, tableIds, tso, changed, open, ddls);
    }

    /** A cut of `xa` order. */
    public Cut(
            long epoch,
            long number,
            long transactions,
            long tableIds,
            List<ShardCut> shards,
            Set<OpenBranch> open,
            List<PendingDdl> ddls) {
        this(epoch, number, transactions, tableIds, 0, shards, open, ddls);
    }

    /**
     * One shard's part.
     *
     * @param name the shard's name in the configuration
     * @param serverUuid the server behind it, "" while unknown
     * @param resume all GTIDs that need not be read again
     * @param frontier all GTIDs that have been processed; contains {@code resume}
     * @param file file of {@code resume}, for people and servers without GTIDs; "" while unknown
     * @param offset offset of {@code resume} in it
     * @param round the newest processed round
     * @param key the last processed merge key
     * @param leftOut the GTIDs that an operator has ordered to leave out, passed or still to come; they are kept so that
     *     the binlog itself tells what it lacks
     */
    public record ShardCut(
            String name,
            String serverUuid,
            GtidSet resume,
            GtidSet frontier,
            String file,
            long offset,
            long round,
            long key,
            GtidSet leftOut) {
        /** A shard of which nothing is left out. */
        public ShardCut(
                String name,
                String serverUuid,
                GtidSet resume,
                GtidSet frontier,
                String file,
                long offset,
                long round,
                long key) {
            this(name, serverUuid, resume, frontier, file, offset, round, key, GtidSet.EMPTY);
        }

        /** The same with one GTID more to leave out. */
        public ShardCut leavingOut(Gtid gtid) {
            GtidSet more = leftOut.toBuilder().add(gtid.sid(), gtid.gno()).build();
            return new ShardCut(name, serverUuid, resume, frontier, file, offset, round, key, more);
        }
    }

    /** A branch of an emitted transaction, by its own XID (bqual included), and its shard's index. */
    public record OpenBranch(Xid xid, int shard) {}

    /**
     * A DDL statement on its way through the shards. Counts are relative: what every shard has had is taken off.
     *
     * @param ddl the statement
     * @param emitted how often it was emitted
     * @param arrived how often it has arrived, for each shard index
     */
    public record PendingDdl(Ddl ddl, long emitted, List<Long> arrived) {
        public PendingDdl {
            arrived = List.copyOf(arrived);
        }
    }
}
