package io.tributary.collector.order;

import io.tributary.collector.order.Schedule.Entry;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/** Feeds a schedule's logs to {@link GlobalOrder}, merged by key or at random, with restarts at random cuts. */
final class Replay implements Emission {
    private static final long NEVER = Long.MAX_VALUE;

    /** One transaction of the output: its number in the schedule, and the rows of each of its branches by shard. */
    record Output(int transaction, Map<Integer, List<Integer>> rows, long lastCommitted) {}

    private final Schedule schedule;
    private final SplittableRandom random;
    private final Rules rules;
    private final boolean mergesAtRandom;
    private final List<Output> output = new ArrayList<>();
    private final CountedPayload.Counter payloads = new CountedPayload.Counter();
    private final Alarms alarms = new Alarms();
    private final List<List<Token>> tokens = new ArrayList<>();
    private LogicalClock clock;
    private int restarts;

    Replay(Schedule schedule, SplittableRandom random, Rules rules, boolean mergesAtRandom) {
        this.schedule = schedule;
        this.random = random;
        this.rules = rules;
        this.mergesAtRandom = mergesAtRandom;
        schedule.logs().forEach(log -> tokens.add(tokensOf(schedule, log)));
    }

    List<Output> output() {
        return output;
    }

    int restarts() {
        return restarts;
    }

    Alarms alarms() {
        return alarms;
    }

    /** Runs to the end of all logs; returns how many payloads were not given back. */
    int run() {
        Cut cut = firstCut(tokens.size());
        GlobalOrder order = newOrder(cut);
        ArrayDeque<Token> stream = merged(cut);
        while (!stream.isEmpty()) {
            order.receive(withPayload(stream.poll()));
            int most = random.nextInt(8) == 0 ? random.nextInt(4) : Integer.MAX_VALUE;
            for (int steps = 0; steps < most && order.process(); steps++) {}
            if (random.nextInt(100) == 0) { // stop here and start anew from a cut
                cut = order.cut(1, cut.number() + 1, output.size(), 0);
                order.close();
                restarts++;
                order = newOrder(cut);
                stream = merged(cut);
            }
        }
        while (order.process()) {}
        order.close();
        return payloads.held();
    }

    private GlobalOrder newOrder(Cut cut) {
        clock = new LogicalClock(tokens.size(), output.size(), true);
        return new GlobalOrder(cut, new DdlLedger(tokens.size(), cut.ddls()), this, alarms, NEVER, rules);
    }

    static Cut firstCut(int shards) {
        List<ShardCut> cuts = new ArrayList<>();
        for (int shard = 0; shard < shards; shard++) {
            cuts.add(new ShardCut("s" + shard, "", GtidSet.EMPTY, GtidSet.EMPTY, "", 4, 0, 0));
        }
        return new Cut(1, 0, 0, 0, cuts, java.util.Set.of(), List.of());
    }

    static Sid sid(int shard) {
        return new Sid(new UUID(1, shard));
    }

    private static List<Token> tokensOf(Schedule schedule, List<Entry> log) {
        List<Token> tokens = new ArrayList<>(log.size());
        GtidSet.Builder executed = new GtidSet.Builder();
        long window = 1; // the round that ends the window in which a token stands
        for (Entry entry : log) {
            tokens.add(token(schedule, entry, window, entry.kind() == 'P' ? executed.build() : null));
            executed.add(sid(entry.shard()), entry.place() + 1);
            if (entry.kind() == 'H') {
                window = entry.round() + 1;
            }
        }
        return tokens;
    }

    private static Token token(Schedule schedule, Entry entry, long window, GtidSet executed) {
        TokenKind kind = switch (entry.kind()) {
            case 'L' -> TokenKind.LOCAL;
            case 'P' -> TokenKind.PREPARE;
            case 'C' -> TokenKind.COMMIT;
            case 'R' -> TokenKind.ROLLBACK;
            default -> TokenKind.ROUND;
        };
        boolean isBranch = "PCR".indexOf(entry.kind()) >= 0;
        Xid xid = isBranch ? xid(schedule.gtrid(entry.transaction()), entry.shard()) : null;
        return new Token(
                kind,
                entry.shard(),
                Token.key(window, (long) (entry.time() * 1e5)),
                sid(entry.shard()),
                entry.place() + 1,
                "binlog.000001",
                entry.place() + 1,
                entry.round(),
                1_000_000_000L + (long) (entry.time() * 1e5),
                lastCommitted(entry),
                entry.place() + 1,
                xid,
                null,
                List.of(),
                null,
                executed == null ? null : new Token.Before(executed, "binlog.000001", entry.place()));
    }

    /** The source's clock of an entry, whose sequence number is its place + 1. */
    static long lastCommitted(Entry entry) {
        return Math.max(0, entry.place() - entry.place() * 7919 % 13);
    }

    private static Xid xid(int gtrid, int shard) {
        return new Xid(new byte[] {(byte) (gtrid >> 8), (byte) gtrid}, new byte[] {(byte) shard}, 1);
    }

    private Token withPayload(Token token) {
        if (token.kind() != TokenKind.LOCAL && token.kind() != TokenKind.PREPARE) {
            return token;
        }
        return new Token(
                token.kind(),
                token.shard(),
                token.key(),
                token.sid(),
                token.gno(),
                token.file(),
                token.end(),
                token.round(),
                token.commitMicros(),
                token.lastCommitted(),
                token.sequenceNumber(),
                token.xid(),
                payloads.take(),
                token.tables(),
                token.ddl(),
                token.before());
    }

    /** What the shards send from the cut on. */
    private ArrayDeque<Token> merged(Cut cut) {
        List<ArrayDeque<Token>> left = new ArrayList<>();
        List<Token> all = new ArrayList<>();
        for (int shard = 0; shard < tokens.size(); shard++) {
            GtidSet resume = cut.shards().get(shard).resume();
            int from = (int) resume.count();
            List<Token> rest = tokens.get(shard).subList(from, tokens.get(shard).size());
            left.add(new ArrayDeque<>(rest));
            all.addAll(rest);
        }
        if (!mergesAtRandom) {
            all.sort(Comparator.comparingLong((Token token) -> token.key()).thenComparingInt(token -> token.shard()));
            return new ArrayDeque<>(all);
        }
        ArrayDeque<Token> stream = new ArrayDeque<>();
        while (stream.size() < all.size()) {
            ArrayDeque<Token> one = left.get(random.nextInt(left.size()));
            for (int count = random.nextInt(1, 31); count > 0 && !one.isEmpty(); count--) {
                stream.add(one.poll());
            }
        }
        return stream;
    }

    // ---- the output

    @Override
    public void local(Token token) {
        Entry entry = entry(token);
        token.payload().release();
        long lastCommitted = clock.local(token, output.size() + 1);
        output.add(new Output(entry.transaction(), Map.of(entry.shard(), entry.rows()), lastCommitted));
    }

    @Override
    public long distributed(Distributed transaction) {
        long lastCommitted = clock.distributed(transaction, output.size() + 1);
        Entry first = entry(transaction.branches().get(0).prepare());
        Map<Integer, List<Integer>> rows = new HashMap<>();
        for (Branch branch : transaction.branches()) {
            Entry entry = entry(branch.prepare());
            branch.prepare().payload().release();
            rows.put(entry.shard(), entry.rows());
            if (entry.transaction() != first.transaction()) {
                throw new AssertionError("branches of two transactions in one");
            }
        }
        output.add(new Output(first.transaction(), rows, lastCommitted));
        return output.size();
    }

    @Override
    public void ddl(Token token) {
        throw new AssertionError("a schedule has no DDL");
    }

    @Override
    public void committed(Token commit, long number) {
        Output emitted = output.get((int) number - 1);
        if (emitted.transaction() != entry(commit).transaction()) {
            throw new AssertionError("number " + number + " is not that of " + commit);
        }
        clock.committed(commit, number);
    }

    private Entry entry(Token token) {
        return schedule.logs().get(token.shard()).get((int) token.gno() - 1);
    }
}
