package io.tributary.testkit.source;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A seeded PolarDB-X coordinator over several data nodes: concurrent distributed transactions whose steps happen at random times; some are
 * rolled back; between them local transactions, one-phase transactions and bookkeeping events. A commit gets its timestamp when all
 * branches are prepared. It records the expected global order.
 */
public final class PolarDbxCoordinator {
    private static final int MOST_OPEN = 6;
    private static final long FIRST_MILLIS = 1_700_000_000_000L;

    private final Random random;
    private final List<PolarDbxLog> nodes;
    private final List<Open> open = new ArrayList<>();
    private final List<Expected> expected = new ArrayList<>();
    private long tso = FIRST_MILLIS << 22;
    private long transactions;
    private long number;

    /**
     * An expected transaction of the global binlog.
     *
     * @param tso {@link PolarDbxLog#NONE} for a local transaction without one
     * @param transaction the value of the first column of its rows
     * @param shards indexes of the shards where it has a row, ascending
     */
    public record Expected(long tso, long transaction, List<Integer> shards) {
        public Expected {
            shards = List.copyOf(shards);
        }
    }

    /** An open distributed transaction: its branches by shard, and how many of them are prepared and committed. */
    private static final class Open {
        private final long transaction;
        private final List<Integer> shards;
        private final List<DrdsXid> branches;
        private final boolean rollsBack;
        private int prepared;
        private int decided;
        private long tso;

        Open(long transaction, List<Integer> shards, List<DrdsXid> branches, boolean rollsBack) {
            this.transaction = transaction;
            this.shards = shards;
            this.branches = branches;
            this.rollsBack = rollsBack;
        }
    }

    /** @param nodes the data nodes, each with its own generation */
    public PolarDbxCoordinator(long seed, List<PolarDbxLog> nodes) {
        this.random = new Random(seed);
        this.nodes = List.copyOf(nodes);
    }

    /** Runs this many steps; each writes at most one transaction to one node. */
    public void run(int steps) {
        for (int i = 0; i < steps; i++) {
            step();
        }
    }

    /** Finishes all open transactions. */
    public void finish() {
        while (!open.isEmpty()) {
            advance(open.get(random.nextInt(open.size())));
        }
    }

    /** The committed transactions in the order of their timestamps; a local one without timestamp is after the newest one at its time. */
    public List<Expected> expected() {
        return List.copyOf(expected);
    }

    private void step() {
        int dice = random.nextInt(100);
        if (dice < 10) {
            local();
        } else if (dice < 15) {
            onePhase();
        } else if (dice < 20) {
            nodes.get(random.nextInt(nodes.size())).between(++tso);
        } else if (open.isEmpty() || open.size() < MOST_OPEN && dice < 40) {
            begin();
        } else {
            advance(open.get(random.nextInt(open.size())));
        }
    }

    private void local() {
        int shard = random.nextInt(nodes.size());
        boolean hasTimestamp = nodes.get(shard).hasLocalTimestamps() && random.nextBoolean();
        long own = hasTimestamp ? nextTso() : PolarDbxLog.NONE;
        nodes.get(shard).local(own, ++transactions, shard, ++number);
        expected.add(new Expected(own, transactions, List.of(shard)));
    }

    private void onePhase() {
        int shard = random.nextInt(nodes.size());
        long own = nodes.get(shard).hasLocalTimestamps() ? nextTso() : PolarDbxLog.NONE;
        nodes.get(shard).onePhase(branch(++transactions, shard), own, transactions, shard, ++number);
        expected.add(new Expected(own, transactions, List.of(shard)));
    }

    private void begin() {
        List<Integer> shards = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            shards.add(i);
        }
        Collections.shuffle(shards, random);
        int count = 1 + random.nextInt(nodes.size());
        List<Integer> own = shards.subList(0, count);
        long transaction = ++transactions;
        List<DrdsXid> branches =
                own.stream().map(shard -> branch(transaction, shard)).toList();
        open.add(new Open(transaction, List.copyOf(own), branches, random.nextInt(8) == 0));
    }

    private DrdsXid branch(long transaction, int shard) {
        long id = 0x1624_8b5e_d000_0000L + transaction;
        return new DrdsXid(id, 0x2a + transaction % 3, "G_00" + shard, transaction % 2 == 0 ? "0001" : "");
    }

    private void advance(Open one) {
        int shards = one.shards.size();
        if (one.prepared < shards) {
            int shard = one.shards.get(one.prepared);
            nodes.get(shard).prepare(one.branches.get(one.prepared), nextTso(), one.transaction, shard, ++number);
            one.prepared++;
            return;
        }
        if (one.rollsBack) {
            nodes.get(one.shards.get(one.decided)).rollback(one.branches.get(one.decided));
        } else {
            if (one.decided == 0) {
                one.tso = nextTso();
                expected.add(new Expected(
                        one.tso, one.transaction, one.shards.stream().sorted().toList()));
            }
            nodes.get(one.shards.get(one.decided)).commit(one.branches.get(one.decided), one.tso);
        }
        if (++one.decided == shards) {
            open.remove(one);
        }
    }

    private long nextTso() {
        tso += 1 + random.nextInt(1 << 24);
        return tso;
    }
}
