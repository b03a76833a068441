package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.workload.XaCoordinator.Branch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Random;

/** One thread of the XA pathologies: each step runs one of them. */
final class PathologicalXaWorker implements Load.Worker {
    private static final int LONGEST_HOLD_STEPS = 60;
    private static final int MOST_HELD = 5;
    private static final int XID_PART = 64;
    private static final byte[] BQUAL = {'b'};

    private final PathologicalXaWorkload workload;
    private final List<XaPathology> kinds;
    private final List<ShardSession> sessions;
    private final Random random;
    private final int number;
    private final List<Held> held = new ArrayList<>();

    /** A transaction that stays prepared for some more steps. */
    private static final class Held {
        final List<Branch> branches;
        int steps;

        Held(List<Branch> branches, int steps) {
            this.branches = branches;
            this.steps = steps;
        }
    }

    PathologicalXaWorker(
            PathologicalXaWorkload workload, List<MysqlServer> shards, List<XaPathology> kinds, long seed, int number) {
        this.workload = workload;
        this.kinds = kinds;
        this.number = number;
        this.random = new Random(seed * 31 + number);
        this.sessions = shards.stream().map(ShardSession::new).toList();
    }

    @Override
    public void step() throws SQLException {
        releaseHeld();
        XaPathology kind = kinds.get(random.nextInt(kinds.size()));
        if (kind == XaPathology.PREPARED_FOR_LONG && held.size() == MOST_HELD) {
            return;
        }
        play(kind);
        workload.done(kind);
    }

    private void play(XaPathology kind) throws SQLException {
        switch (kind) {
            case ROLLBACK_AFTER_PREPARE -> rollBack(prepare(branches(kind, someShards())));
            case ROLLBACK_UNPREPARED -> endUnprepared(kind, "XA ROLLBACK ", "");
            case ONE_PHASE -> endUnprepared(kind, "XA COMMIT ", " ONE PHASE");
            case EMPTY_BRANCH -> emptyBranch(kind);
            case PREPARED_FOR_LONG -> prepareForLong(kind);
            case KILLED_COORDINATOR -> killedCoordinator(kind);
            case REUSED_GTRID -> reusedGtrid(kind);
            case BINARY_XID -> commit(prepare(branches(kind, someShards(), bytes(8), bytes(0), 1)));
            case OTHER_FORMAT_ID -> otherFormatId(kind);
            case TWO_BRANCHES_ON_ONE_SHARD -> twoBranchesOnOneShard(kind);
            case CROSSED_COMMITS -> crossedCommits(kind);
            case LOCAL_BETWEEN -> localBetween(kind);
            case BRANCH_AFTER_COMMIT -> branchAfterCommit(kind);
            case HALF_ROLLED_BACK -> halfRolledBack(kind);
        }
    }

    private void endUnprepared(XaPathology kind, String verb, String tail) throws SQLException {
        Branch branch = branches(kind, someShards().subList(0, 1)).get(0);
        String xid = branch.name().sql();
        branch.session().run("XA START " + xid + ";" + branch.work() + ";XA END " + xid + ";" + verb + xid + tail);
    }

    private void emptyBranch(XaPathology kind) throws SQLException {
        List<Integer> shards = someShards();
        int empty = random.nextInt(4) == 0 ? shards.size() : 1;
        byte[] gtrid = gtrid();
        List<Branch> branches = new ArrayList<>();
        for (int shard : shards.subList(0, empty)) {
            branches.add(new Branch(
                    new XaName(gtrid, BQUAL, 1), sessions.get(shard), random.nextBoolean() ? "" : "SELECT 1"));
        }
        branches.addAll(branches(kind, shards.subList(empty, shards.size()), gtrid, BQUAL, 1));
        Collections.shuffle(branches, random);
        commit(prepare(branches));
    }

    private void prepareForLong(XaPathology kind) throws SQLException {
        held.add(new Held(prepare(insertingBranches(kind, someShards())), 1 + random.nextInt(LONGEST_HOLD_STEPS)));
    }

    private void releaseHeld() {
        for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
            Held one = each.next();
            if (one.steps-- == 0) {
                each.remove();
                decide(one);
            }
        }
    }

    private void decide(Held one) {
        if (random.nextInt(4) == 0) {
            rollBack(one.branches);
        } else {
            commit(one.branches);
        }
    }

    private void killedCoordinator(XaPathology kind) throws SQLException {
        List<Branch> branches = prepare(branches(kind, someShards()));
        int committed = random.nextInt(branches.size());
        commit(branches.subList(0, committed));
        sessions.forEach(ShardSession::drop);
        List<Branch> rest = branches.subList(committed, branches.size());
        for (Branch branch : rest) {
            if (branch.session().rows("XA RECOVER CONVERT XID").stream().noneMatch(branch.name()::isIn)) {
                throw new SQLException("XA RECOVER does not list " + branch.name());
            }
        }
        if (committed == 0 && random.nextBoolean()) {
            rollBack(rest);
        } else {
            commit(rest);
        }
    }

    private void reusedGtrid(XaPathology kind) throws SQLException {
        byte[] gtrid = ("again-" + number).getBytes(StandardCharsets.UTF_8);
        List<Integer> shards = someShards();
        commit(prepare(branches(kind, shards, gtrid, BQUAL, 1)));
        rollBack(prepare(branches(kind, shards, gtrid, BQUAL, 1)));
        commit(prepare(branches(kind, someShards(), gtrid, BQUAL, 1)));
    }

    private void otherFormatId(XaPathology kind) throws SQLException {
        long formatId = random.nextInt(4) == 0 ? 0 : random.nextInt(Integer.MAX_VALUE);
        commit(prepare(branches(kind, someShards(), gtrid(), BQUAL, formatId)));
    }

    private void twoBranchesOnOneShard(XaPathology kind) throws SQLException {
        List<Integer> shards = someShards();
        byte[] gtrid = gtrid();
        long txn = workload.nextId();
        int count = shards.size() + 1;
        List<Branch> branches = new ArrayList<>();
        for (int shard : shards) {
            String work = update(shard) + ";" + insert(kind, txn, count);
            branches.add(new Branch(new XaName(gtrid, BQUAL, 1), sessions.get(shard), work));
        }
        ShardSession twice = sessions.get(shards.get(0));
        branches.add(new Branch(new XaName(gtrid, new byte[] {2}, 1), twice, insert(kind, txn, count)));
        commit(prepare(branches));
    }

    private void crossedCommits(XaPathology kind) throws SQLException {
        List<Integer> shards = someShards();
        List<Branch> one = prepare(branches(kind, shards));
        List<Branch> other = prepare(insertingBranches(kind, shards));
        for (int i = 0; i < one.size(); i++) {
            XaCoordinator.commit(i % 2 == 0 ? one.get(i) : other.get(i));
        }
        for (int i = 0; i < one.size(); i++) {
            XaCoordinator.commit(i % 2 == 0 ? other.get(i) : one.get(i));
        }
    }

    private void localBetween(XaPathology kind) throws SQLException {
        int shard = random.nextInt(sessions.size());
        long txn = workload.nextId();
        String savepoint = random.nextBoolean() ? "" : "SAVEPOINT s;" + insert(kind, txn, 1) + ";ROLLBACK TO s;";
        sessions.get(shard).run("BEGIN;" + update(shard) + ";" + savepoint + insert(kind, txn, 1) + ";COMMIT");
    }

    private void branchAfterCommit(XaPathology kind) throws SQLException {
        for (Branch branch : branches(kind, someShards())) {
            XaCoordinator.prepare(branch);
            XaCoordinator.commit(branch);
        }
    }

    private void halfRolledBack(XaPathology kind) throws SQLException {
        List<Branch> branches = prepare(branches(kind, someShards()));
        commit(branches.subList(0, 1));
        rollBack(branches.subList(1, branches.size()));
    }

    private static List<Branch> prepare(List<Branch> branches) throws SQLException {
        for (Branch branch : branches) {
            XaCoordinator.prepare(branch);
        }
        return branches;
    }

    private static void commit(List<Branch> branches) {
        branches.forEach(XaCoordinator::commit);
    }

    private static void rollBack(List<Branch> branches) {
        branches.forEach(XaCoordinator::rollBack);
    }

    private List<Branch> branches(XaPathology kind, List<Integer> shards) {
        return branches(kind, shards, gtrid(), BQUAL, 1);
    }

    private List<Branch> branches(XaPathology kind, List<Integer> shards, byte[] gtrid, byte[] bqual, long formatId) {
        long txn = workload.nextId();
        List<Branch> branches = new ArrayList<>();
        for (int shard : shards) {
            String work = update(shard) + ";" + insert(kind, txn, shards.size());
            branches.add(new Branch(new XaName(gtrid, bqual, formatId), sessions.get(shard), work));
        }
        return branches;
    }

    /** Work for a branch that stays prepared while this worker continues. It only inserts: with an updated row the worker would wait for itself. */
    private List<Branch> insertingBranches(XaPathology kind, List<Integer> shards) {
        long txn = workload.nextId();
        byte[] gtrid = gtrid();
        List<Branch> branches = new ArrayList<>();
        for (int shard : shards) {
            branches.add(
                    new Branch(new XaName(gtrid, BQUAL, 1), sessions.get(shard), insert(kind, txn, shards.size())));
        }
        return branches;
    }

    private List<Integer> someShards() {
        List<Integer> shards = new ArrayList<>();
        for (int shard = 0; shard < sessions.size(); shard++) {
            shards.add(shard);
        }
        Collections.shuffle(shards, random);
        return new ArrayList<>(shards.subList(0, 2 + random.nextInt(sessions.size() - 1)));
    }

    private byte[] gtrid() {
        return ("odd-" + workload.nextId()).getBytes(StandardCharsets.UTF_8);
    }

    /** Random bytes of a random length up to 64; with at least 8 of them, they begin with a unique number. */
    private byte[] bytes(int least) {
        byte[] bytes = new byte[least + random.nextInt(XID_PART + 1 - least)];
        random.nextBytes(bytes);
        if (least >= Long.BYTES) {
            ByteBuffer.wrap(bytes).putLong(workload.nextId());
        }
        return bytes;
    }

    private String insert(XaPathology kind, long txn, int branches) {
        return "INSERT INTO pathology.written VALUES (" + workload.nextId() + "," + txn + "," + branches + ",'" + kind
                + "')";
    }

    private String update(int shard) {
        int row = random.nextInt(PathologicalXaWorkload.ROWS_PER_WORKER);
        return "UPDATE pathology.touched SET seq=seq+1 WHERE id=" + workload.touchedId(shard, number, row);
    }

    @Override
    public void close() {
        held.forEach(this::decide);
        sessions.forEach(ShardSession::close);
    }
}
