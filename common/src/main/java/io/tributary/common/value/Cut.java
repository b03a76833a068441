package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.List;
import java.util.Set;

/**
 * A consistent point between two output transactions: where every shard resumes, and the state that a new collector needs
 * (ordering.md, "The cut").
 *
 * @param epoch the epoch of the writer of rounds under which it was made
 * @param number running number of cuts, 0 for the first one; never decreases
 * @param transactions output transactions before it = the gno of the newest one
 * @param tableIds the highest global table id that was assigned
 * @param tso `tso` order: every transaction with a TSO up to this one is before the cut, on every shard; 0 in `xa` order
 * @param shards one for each shard, in the order of their indexes
 * @param open branches of transactions already emitted whose commit is not yet processed on their shard
 * @param schema schema changes in progress
 * @param schemaNumber number of the last change of the journal before it ({@link Journal}); 0 for none
 */
public record Cut(
        long epoch,
        long number,
        long transactions,
        long tableIds,
        long tso,
        List<ShardCut> shards,
        Set<OpenBranch> open,
        SchemaState schema,
        long schemaNumber) {
    public Cut {
        shards = List.copyOf(shards);
        open = Set.copyOf(open);
    }

    /** Whether the other cut has the same shards in the same order, so that shard indexes mean the same in both. */
    public boolean hasSameShards(Cut other) {
        boolean isSame = shards.size() == other.shards.size();
        for (int i = 0; isSame && i < shards.size(); i++) {
            isSame = shards.get(i).name().equals(other.shards.get(i).name());
        }
        return isSame;
    }

    /** The same cut under an epoch that is not lower. */
    public Cut under(long newer) {
        return new Cut(newer, number, transactions, tableIds, tso, shards, open, schema, schemaNumber);
    }

    /** The next cut, at the same point, with the command to leave one more transaction of a shard out. */
    public Cut leavingOut(String shard, Gtid gtid) {
        List<ShardCut> changed = shards.stream()
                .map(each -> each.name().equals(shard) ? each.leavingOut(gtid) : each)
                .toList();
        return new Cut(epoch, number + 1, transactions, tableIds, tso, changed, open, schema, schemaNumber);
    }

    /** The next cut, at the same point, with the command to leave out those of these transactions of a shard that must be refused. */
    public Cut leavingOutRefused(String shard, GtidSet range) {
        List<ShardCut> changed = shards.stream()
                .map(each -> each.name().equals(shard) ? each.leavingOutRefused(range) : each)
                .toList();
        return new Cut(epoch, number + 1, transactions, tableIds, tso, changed, open, schema, schemaNumber);
    }

    /** The next cut, at the same point, with a decision that is executed when its statement or question arrives. */
    public Cut ordering(DdlDecision order) {
        return new Cut(
                epoch, number + 1, transactions, tableIds, tso, shards, open, schema.ordering(order), schemaNumber);
    }

    /** The same cut after the journal's change of this number. */
    public Cut behindChange(long change) {
        return new Cut(epoch, number, transactions, tableIds, tso, shards, open, schema, change);
    }

    /** A cut with no journal change before it. */
    public Cut(
            long epoch,
            long number,
            long transactions,
            long tableIds,
            long tso,
            List<ShardCut> shards,
            Set<OpenBranch> open,
            SchemaState schema) {
        this(epoch, number, transactions, tableIds, tso, shards, open, schema, 0);
    }

    /** A cut of `xa` order with no journal change before it. */
    public Cut(
            long epoch,
            long number,
            long transactions,
            long tableIds,
            List<ShardCut> shards,
            Set<OpenBranch> open,
            SchemaState schema) {
        this(epoch, number, transactions, tableIds, 0, shards, open, schema);
    }

    /**
     * One shard's part.
     *
     * @param name the shard's name in the configuration
     * @param serverUuid the server's UUID, "" while unknown
     * @param resume all GTIDs that need not be read again
     * @param frontier all GTIDs that have been processed; contains {@code resume}
     * @param file file of {@code resume}, for display and for servers without GTIDs; "" while unknown
     * @param offset offset of {@code resume} in it
     * @param round the newest processed round
     * @param key the last processed merge key
     * @param leftOut the GTIDs that an operator has commanded to leave out, whether they were read or not; they are kept so that
     *     the binlog itself shows what it lacks
     * @param leftOutIfRefused the GTIDs that an operator has commanded to leave out if they must be refused; the others of them
     *     are written
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
            GtidSet leftOut,
            GtidSet leftOutIfRefused) {
        /** A shard with transactions that are left out. */
        public ShardCut(
                String name,
                String serverUuid,
                GtidSet resume,
                GtidSet frontier,
                String file,
                long offset,
                long round,
                long key,
                GtidSet leftOut) {
            this(name, serverUuid, resume, frontier, file, offset, round, key, leftOut, GtidSet.EMPTY);
        }

        /** A shard with no transaction that is left out. */
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

        /** The same with one more GTID to leave out. */
        public ShardCut leavingOut(Gtid gtid) {
            GtidSet more = leftOut.toBuilder().add(gtid.sid(), gtid.gno()).build();
            return new ShardCut(name, serverUuid, resume, frontier, file, offset, round, key, more, leftOutIfRefused);
        }

        /** The same with more GTIDs to leave out if they must be refused. */
        public ShardCut leavingOutRefused(GtidSet range) {
            return new ShardCut(
                    name,
                    serverUuid,
                    resume,
                    frontier,
                    file,
                    offset,
                    round,
                    key,
                    leftOut,
                    leftOutIfRefused.union(range));
        }
    }

    /** A branch of an emitted transaction: its own XID (including bqual), and its shard's index. */
    public record OpenBranch(Xid xid, int shard) {}
}
