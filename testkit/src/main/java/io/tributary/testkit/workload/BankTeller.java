package io.tributary.testkit.workload;

import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.server.MysqlServer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/** One thread of a bank: makes one transfer per step, with a session on each shard. */
final class BankTeller implements Load.Worker {
    private static final double VOUCHER_SHARE = 0.2;
    private static final int MOST_AMOUNT = 100;
    private static final long PAUSE_NANOS = Duration.ofMillis(20).toNanos();

    private final BankWorkload bank;
    private final BankOptions options;
    private final List<ShardSession> sessions;
    private final Random random;
    private final int number;

    /** The shard of each of this teller's vouchers. No other teller moves them. */
    private final List<Voucher> vouchers = new ArrayList<>();

    private static final class Voucher {
        final long id;
        int shard;

        Voucher(long id, int shard) {
            this.id = id;
            this.shard = shard;
        }
    }

    BankTeller(BankWorkload bank, List<MysqlServer> shards, int number) throws SQLException {
        this.bank = bank;
        this.options = bank.options();
        this.number = number;
        this.random = new Random(options.seed() * 31 + number);
        String[] setup = options.sessionSetup().isEmpty() ? new String[0] : new String[] {options.sessionSetup()};
        this.sessions =
                shards.stream().map(shard -> new ShardSession(shard, setup)).toList();
        for (int shard = 0; shard < shards.size(); shard++) {
            findVouchers(shard);
        }
    }

    private void findVouchers(int shard) throws SQLException {
        String mine = "SELECT id FROM bank.vouchers WHERE id % " + options.threads() + " = " + number;
        for (var row : sessions.get(shard).rows(mine)) {
            vouchers.add(new Voucher(Long.parseLong(row.get("id")), shard));
        }
    }

    @Override
    public void step() throws SQLException {
        List<Integer> shards = bank.inUse();
        if (shards.size() > 1 && random.nextDouble() < options.xaShare()) {
            transferOverShards(shards);
        } else {
            transferOnOneShard(shards.get(random.nextInt(shards.size())));
        }
    }

    private void transferOnOneShard(int shard) throws SQLException {
        int from = random.nextInt(options.accountsPerShard());
        int to = (from + 1 + random.nextInt(options.accountsPerShard() - 1)) % options.accountsPerShard();
        long amount = 1L + random.nextInt(MOST_AMOUNT);
        String first = update(shard, Math.min(from, to), from < to ? -amount : amount);
        String second = update(shard, Math.max(from, to), from < to ? amount : -amount);
        String row = transfer(bank.nextTransfer(), shard, 1, false, amount);
        String begun = "BEGIN;" + first + ";" + second + ";" + row;
        ShardSession session = sessions.get(shard);
        try {
            session.run(begun);
        } catch (SQLException e) {
            giveUp(session, e);
            return;
        }
        try {
            bank.commits().onOneShard(session);
            bank.localCommitted(shard);
        } catch (SQLException e) {
            if (!ShardSession.isLost(e)) {
                throw e;
            }
            bank.outcomeUnknown();
        }
    }

    private void giveUp(ShardSession session, SQLException e) throws SQLException {
        if (!XaCoordinator.isWorthARetry(e)) {
            throw e;
        }
        bank.rolledBack();
        if (ShardSession.isLost(e)) {
            LockSupport.parkNanos(PAUSE_NANOS); // the shard is down: pause before the next try
        } else {
            session.run("ROLLBACK");
        }
    }

    /** Branches in the shards' order, so that two tellers never wait for each other over two shards. */
    private void transferOverShards(List<Integer> shards) throws SQLException {
        List<Integer> over = new ArrayList<>(shards);
        Collections.shuffle(over, random);
        over = over.subList(0, 2 + random.nextInt(shards.size() - 1));
        Voucher chosen = vouchers.isEmpty() || random.nextDouble() >= VOUCHER_SHARE
                ? null
                : vouchers.get(random.nextInt(vouchers.size()));
        Voucher moved = chosen == null || !shards.contains(chosen.shard) ? null : chosen;
        int goal = moved == null
                ? -1
                : over.stream().filter(s -> s != moved.shard).findFirst().orElseThrow();
        if (moved != null && !over.contains(moved.shard)) {
            over.add(moved.shard);
        }
        over = over.stream().sorted().toList();
        long id = bank.nextTransfer();
        if (bank.commits().overShards(branches(id, over, moved, goal))) {
            bank.xaCommitted(over);
            if (moved != null) {
                moved.shard = goal;
            }
        } else {
            bank.rolledBack();
        }
    }

    private List<XaCoordinator.Branch> branches(long id, List<Integer> over, Voucher moved, int goal) {
        List<XaCoordinator.Branch> branches = new ArrayList<>();
        long rest = 0;
        for (int i = 0; i < over.size(); i++) {
            int shard = over.get(i);
            long amount = i == over.size() - 1 ? -rest : (long) random.nextInt(2 * MOST_AMOUNT) - MOST_AMOUNT;
            rest += amount;
            String work = update(shard, random.nextInt(options.accountsPerShard()), amount);
            if (moved != null && shard == moved.shard) {
                work += ";DELETE FROM bank.vouchers WHERE id=" + moved.id;
            } else if (shard == goal) {
                work += ";INSERT INTO bank.vouchers VALUES (" + moved.id + "," + id + "," + number + ")";
            }
            work += ";" + transfer(id, shard, over.size(), true, amount);
            XaName name = XaName.of(
                    "bank-" + options.seed() + "-" + id,
                    sessions.get(shard).server().name());
            branches.add(new XaCoordinator.Branch(name, sessions.get(shard), work));
        }
        return branches;
    }

    private String update(int shard, int account, long amount) {
        return "UPDATE bank.accounts SET balance=balance+(" + amount + "),seq=seq+1 WHERE id="
                + bank.rowId(shard, account);
    }

    private static String transfer(long id, int shard, int branches, boolean xa, long amount) {
        return "INSERT INTO bank.transfers VALUES (" + id + "," + shard + "," + branches + "," + (xa ? 1 : 0) + ","
                + amount + "," + Clock.SYSTEM.epochMicros() + ")";
    }

    @Override
    public void close() {
        sessions.forEach(ShardSession::close);
    }
}
