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
 * @param schema schema changes that are under way
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
        return new Cut(newer, number, transactions, tableIds, tso, shards, open, schema, schemaNumber);
    }

    /** The next cut, at the same place, with the order to leave one more transaction of a shard out. */
    public Cut leavingOut(String shard, Gtid gtid) {
        List<ShardCut> changed = shards.stream()
                .map(each -> each.name().equals(shard) ? each.leavingOut(gtid) : each)
                .toList();
        return new Cut(epoch, number + 1, transactions, tableIds, tso, changed, open, schema, schemaNumber);
    }

    /** The next cut, at the same place, with the order to leave out what has to be refused among these of a shard. */
    public Cut leavingOutRefused(String shard, GtidSet range) {
        List<ShardCut> changed = shards.stream()
                .map(each -> each.name().equals(shard) ? each.leavingOutRefused(range) : each)
                .toList();
        return new Cut(epoch, number + 1, transactions, tableIds, tso, changed, open, schema, schemaNumber);
    }

    /** The next cut, at the same place, with an order that is carried out as soon as what it names is met. */
    public Cut ordering(DdlOrder order) {
        return new Cut(
                epoch, number + 1, transactions, tableIds, tso, shards, open, schema.ordering(order), schemaNumber);
    }

    /** The same cut behind the journal's change of this number. */
    public Cut behindChange(long change) {
        return new Cut(epoch, number, transactions, tableIds, tso, shards, open, schema, change);
    }

    /** A cut without a journal before it. */
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

    /** A cut of `xa` order, without a journal before it. */
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
     * @param serverUuid the server behind it, "" while unknown
     * @param resume all GTIDs that need not be read again
     * @param frontier all GTIDs that have been processed; contains {@code resume}
     * @param file file of {@code resume}, for people and servers without GTIDs; "" while unknown
     * @param offset offset of {@code resume} in it
     * @param round the newest processed round
     * @param key the last processed merge key
     * @param leftOut the GTIDs that an operator has ordered to leave out, passed or still to come; they are kept so that
     *     the binlog itself tells what it lacks
     * @param leftOutIfRefused the GTIDs that an operator has ordered to leave out where they have to be refused; the others of them
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
        /** A shard of which some transactions are left out. */
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
            return new ShardCut(name, serverUuid, resume, frontier, file, offset, round, key, more, leftOutIfRefused);
        }

        /** The same with more GTIDs to leave out where they have to be refused. */
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

    /** A branch of an emitted transaction, by its own XID (bqual included), and its shard's index. */
    public record OpenBranch(Xid xid, int shard) {}
}
