package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A consistent point between two output transactions: where every shard resumes, and the state that a new collector needs
 * (ordering.md, "The cut").
 *
 * @param epoch the epoch of the writer of rounds under which it was made
 * @param number running number of cuts, 0 for the first one; never decreases
 * @param sources where every shard resumes
 * @param output what was assigned in the output before it
 * @param schemaPoint schema changes in progress
 */
public record Cut(long epoch, long number, Sources sources, OutputPoint output, SchemaPoint schemaPoint) {
    /**
     * Where every shard resumes.
     *
     * @param shards one for each shard, in the order of their indexes
     * @param open branches of transactions already emitted whose commit is not yet processed on their shard
     */
    public record Sources(List<ShardCut> shards, Set<OpenBranch> open) {
        public Sources {
            shards = List.copyOf(shards);
            open = Set.copyOf(open);
        }
    }

    /**
     * The numbers that were assigned in the output.
     *
     * @param transactions output transactions before it = the gno of the newest one
     * @param tableIds the highest global table id that was assigned
     * @param tso `tso` order: every transaction with a TSO up to this one is before the cut, on every shard; 0 in `xa` order
     */
    public record OutputPoint(long transactions, long tableIds, long tso) {}

    /**
     * Schema changes in progress.
     *
     * @param state statements and questions that are not complete
     * @param number number of the last change of the journal before it ({@link Journal}); 0 for none
     */
    public record SchemaPoint(SchemaState state, long number) {}

    /** The cut at which a new output begins. */
    public static Cut beginning(List<ShardCut> shards) {
        return new Cut(
                0, 0, new Sources(shards, Set.of()), new OutputPoint(0, 0, 0), new SchemaPoint(SchemaState.NONE, 0));
    }

    /** One for each shard, in the order of their indexes. */
    public List<ShardCut> shards() {
        return sources.shards();
    }

    /** Branches of transactions already emitted whose commit is not yet processed on their shard. */
    public Set<OpenBranch> open() {
        return sources.open();
    }

    /** Output transactions before it = the gno of the newest one. */
    public long transactions() {
        return output.transactions();
    }

    /** The highest global table id that was assigned. */
    public long tableIds() {
        return output.tableIds();
    }

    /** `tso` order: every transaction with a TSO up to this one is before the cut, on every shard; 0 in `xa` order. */
    public long tso() {
        return output.tso();
    }

    /** Schema changes in progress. */
    public SchemaState schema() {
        return schemaPoint.state();
    }

    /** Number of the last change of the journal before it ({@link Journal}); 0 for none. */
    public long schemaNumber() {
        return schemaPoint.number();
    }

    /** Whether the other cut has the same shards in the same order, so that shard indexes mean the same in both. */
    public boolean hasSameShards(Cut other) {
        boolean isSame = shards().size() == other.shards().size();
        for (int i = 0; isSame && i < shards().size(); i++) {
            isSame = shards().get(i).name().equals(other.shards().get(i).name());
        }
        return isSame;
    }

    /** The same cut under an epoch that is not lower. */
    public Cut under(long newer) {
        return new Cut(newer, number, sources, output, schemaPoint);
    }

    /** The next cut, at the same point, with the command to leave one more transaction of a shard out. */
    public Cut leavingOut(String shard, Gtid gtid) {
        return next(shards().stream()
                .map(each -> each.name().equals(shard) ? each.leavingOut(gtid) : each)
                .toList());
    }

    /** The next cut, at the same point, with the command to leave out those of these transactions of a shard that must be refused. */
    public Cut leavingOutRefused(String shard, GtidSet range) {
        return next(shards().stream()
                .map(each -> each.name().equals(shard) ? each.leavingOutRefused(range) : each)
                .toList());
    }

    /** The same cut with one more shard, which is the last one. */
    public Cut joinedBy(ShardCut shard) {
        List<ShardCut> more = new ArrayList<>(shards());
        more.add(shard);
        return new Cut(epoch, number, new Sources(more, open()), output, schemaPoint);
    }

    /**
     * The next cut, at the same point, with one shard that is read from another place. Its open branches end: their rows are part of what was
     * compared there. Questions about its transactions end too.
     *
     * @param changed replaces the shard of the same name
     */
    public Cut resuming(ShardCut changed) {
        List<ShardCut> all = shards().stream()
                .map(each -> each.name().equals(changed.name()) ? changed : each)
                .toList();
        Set<OpenBranch> others = open().stream()
                .filter(branch -> !shards().get(branch.shard()).name().equals(changed.name()))
                .collect(Collectors.toSet());
        return new Cut(
                epoch,
                number + 1,
                new Sources(all, others),
                output,
                new SchemaPoint(schema().withoutQuestions(changed.name()), schemaNumber()));
    }

    private Cut next(List<ShardCut> changed) {
        return new Cut(epoch, number + 1, new Sources(changed, open()), output, schemaPoint);
    }

    /** The next cut, at the same point, with a decision that is executed when its statement or question arrives. */
    public Cut deciding(DdlDecision decision) {
        return new Cut(
                epoch, number + 1, sources, output, new SchemaPoint(schema().deciding(decision), schemaNumber()));
    }

    /** The same cut after the journal's change of this number. */
    public Cut behindChange(long change) {
        return new Cut(epoch, number, sources, output, new SchemaPoint(schema(), change));
    }

    /**
     * One shard's part.
     *
     * @param name the shard's name in the configuration
     * @param serverUuid the server's UUID, "" while unknown
     * @param position the position from which it is read
     * @param frontier all GTIDs that have been processed; contains those before the position
     * @param round the newest processed round
     * @param key the last processed merge key
     * @param leftOutGtids the GTIDs that an operator has commanded to leave out
     * @param corrections transactions that are read before those that follow the position
     */
    public record ShardCut(
            String name,
            String serverUuid,
            ResumePosition position,
            GtidSet frontier,
            long round,
            long key,
            LeftOutGtids leftOutGtids,
            Corrections corrections) {
        /** A shard without corrections. */
        public ShardCut(
                String name,
                String serverUuid,
                ResumePosition position,
                GtidSet frontier,
                long round,
                long key,
                LeftOutGtids leftOutGtids) {
            this(name, serverUuid, position, frontier, round, key, leftOutGtids, Corrections.NONE);
        }

        /**
         * A shard of which nothing was read yet in this output.
         *
         * @param resume all GTIDs that need not be read again
         * @param frontier all GTIDs that count as processed; contains {@code resume}
         */
        public static ShardCut unread(String name, String serverUuid, GtidSet resume, GtidSet frontier) {
            return new ShardCut(name, serverUuid, ResumePosition.after(resume), frontier, 0, 0, LeftOutGtids.NONE);
        }

        /** All GTIDs that need not be read again. */
        public GtidSet resume() {
            return position.executed();
        }

        /** File of {@link #resume}, for display and for servers without GTIDs; "" while unknown. */
        public String file() {
            return position.file();
        }

        /** Offset of {@link #resume} in it. */
        public long offset() {
            return position.offset();
        }

        /** See {@link LeftOutGtids#always}. */
        public GtidSet leftOut() {
            return leftOutGtids.always();
        }

        /** See {@link LeftOutGtids#ifRefused}. */
        public GtidSet leftOutIfRefused() {
            return leftOutGtids.ifRefused();
        }

        /** The same with one more GTID to leave out. */
        public ShardCut leavingOut(Gtid gtid) {
            GtidSet more = leftOut().toBuilder().add(gtid.sid(), gtid.gno()).build();
            return leavingOut(new LeftOutGtids(more, leftOutIfRefused()));
        }

        /** The same with more GTIDs to leave out if they must be refused. */
        public ShardCut leavingOutRefused(GtidSet range) {
            return leavingOut(new LeftOutGtids(leftOut(), leftOutIfRefused().union(range)));
        }

        private ShardCut leavingOut(LeftOutGtids gtids) {
            return new ShardCut(name, serverUuid, position, frontier, round, key, gtids, corrections);
        }

        /**
         * The same shard, read from another place: all that its server has executed there counts as processed, after these corrections. Commands to
         * leave transactions out stay only if the server still has the history to which they belong.
         *
         * @param newUuid the server's UUID
         * @param executed all transactions that the server has executed at the place
         */
        public ShardCut resuming(String newUuid, GtidSet executed, Corrections before) {
            boolean isSameHistory = executed.containsAll(frontier);
            return new ShardCut(
                    name,
                    newUuid,
                    ResumePosition.after(executed),
                    executed,
                    round,
                    key,
                    isSameHistory ? leftOutGtids : LeftOutGtids.NONE,
                    before);
        }

        /** Corrections that are not processed yet. */
        public GtidSet correctionsLeft() {
            return corrections.left(frontier);
        }
    }

    /**
     * The GTIDs of a shard that an operator has commanded to leave out.
     *
     * @param always those that are left out, whether they were read or not; they are kept so that the binlog itself shows what it lacks
     * @param ifRefused those that are left out if they must be refused; the others of them are written
     */
    public record LeftOutGtids(GtidSet always, GtidSet ifRefused) {
        /** None. */
        public static final LeftOutGtids NONE = new LeftOutGtids(GtidSet.EMPTY, GtidSet.EMPTY);
    }

    /**
     * Transactions in a shard's binlog that make the readers' rows equal to the shard's after changes of the shard were lost. They are read before the
     * transactions that follow the shard's position, wherever they are in its binlog.
     *
     * @param gtids their GTIDs: one source that only they have, from 1 on; empty for none
     * @param tables the physical tables that they change; the index of a table is part of the name of the table that contains its corrections
     */
    public record Corrections(GtidSet gtids, List<TableName> tables) {
        /** No corrections. */
        public static final Corrections NONE = new Corrections(GtidSet.EMPTY, List.of());

        public Corrections {
            tables = List.copyOf(tables);
        }

        /** Those that are not in a set of GTIDs that were read. */
        public GtidSet left(GtidSet read) {
            return gtids.isEmpty() ? GtidSet.EMPTY : gtids.minus(read);
        }
    }

    /** A branch of an emitted transaction: its own XID (including bqual), and its shard's index. */
    public record OpenBranch(Xid xid, int shard) {}
}
