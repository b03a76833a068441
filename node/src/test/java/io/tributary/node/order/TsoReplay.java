package io.tributary.node.order;

import io.tributary.collector.order.Alarms;
import io.tributary.collector.order.Branch;
import io.tributary.collector.order.DdlLedger;
import io.tributary.collector.order.Distributed;
import io.tributary.collector.order.Emission;
import io.tributary.collector.order.TsoOrder;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundDemand;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.common.value.Xid;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.merger.Merger;
import io.tributary.node.order.TsoSchedule.Entry;
import io.tributary.store.HeldTokens;
import io.tributary.testkit.order.CountedPayload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Feeds a schedule's logs to the real sort of each shard, the real merger and the real order, in steps drawn at random, with crashes
 * after which all of them go on from a cut.
 */
final class TsoReplay implements Emission {
    /** What the machinery around them gets wrong. */
    enum Flaw {
        NONE,
        /** Tokens leave in the log's order. */
        UNSORTED,
        /** A cut forgets that something in front of the newest place is still to come. */
        NO_GAPS
    }

    /** One transaction of the output: its number in the schedule, and the rows of each of its branches by shard. */
    record Output(int transaction, Map<Integer, List<Integer>> rows) {}

    private final TsoSchedule schedule;
    private final SplittableRandom random;
    private final Flaw flaw;
    private final boolean merges;
    private final List<Output> output = new ArrayList<>();
    private final CountedPayload.Counter payloads = new CountedPayload.Counter();
    private final Alarms alarms = new Alarms();
    private int restarts;
    private int mostHeld;

    /** @param merges whether a merger stands between, or the order takes the shards' tokens as they come */
    TsoReplay(TsoSchedule schedule, SplittableRandom random, boolean merges, Flaw flaw) {
        this.schedule = schedule;
        this.random = random;
        this.merges = merges;
        this.flaw = flaw;
    }

    List<Output> output() {
        return output;
    }

    int restarts() {
        return restarts;
    }

    int mostHeld() {
        return mostHeld;
    }

    Alarms alarms() {
        return alarms;
    }

    /** Everything from extract to collect, from one cut until it is closed. */
    private final class Machinery implements AutoCloseable {
        private final List<Shard> shards = new ArrayList<>();
        private final Link<Token> merged = new Link<>("merged", random.nextInt(1, 40), Clock.SYSTEM);
        private final Merger merger;
        private final TsoOrder order;

        Machinery(Cut cut) {
            List<Link<Token>> links = new ArrayList<>();
            for (ShardCut from : cut.shards()) {
                Link<Token> link = new Link<>(from.name(), random.nextInt(1, 40), Clock.SYSTEM);
                links.add(link);
                shards.add(new Shard(shards.size(), from, cut.tso(), link));
            }
            merger = new Merger("merge", links, merged, new RoundDemand(), new Metrics());
            order = new TsoOrder(
                    cut,
                    new DdlLedger(links.size(), List.of()),
                    TsoReplay.this,
                    alarms,
                    shard -> HeldTokens.unbounded());
        }

        /** One step of something; whether anything was done. */
        boolean step() {
            int which = random.nextInt(shards.size() + 2);
            if (which < shards.size()) {
                return shards.get(which).read(random.nextInt(1, 20));
            }
            return which == shards.size() ? merge() : collect(random.nextInt(1, 50));
        }

        boolean stepAll() {
            boolean done = false;
            for (Shard shard : shards) {
                done |= shard.read(1000);
            }
            done |= merge();
            done |= collect(1000);
            return done || shards.stream().anyMatch(shard -> !merges && shard.link.peek() != null);
        }

        private boolean merge() {
            if (merges) {
                return merger.doWork() > 0;
            }
            boolean done = false;
            for (int i = 0; i < shards.size(); i++) {
                Link<Token> link = shards.get(random.nextInt(shards.size())).link;
                for (int j = random.nextInt(5); j > 0 && merged.hasRoom() && link.peek() != null; j--) {
                    merged.put(link.poll());
                    done = true;
                }
            }
            return done;
        }

        private boolean collect(int steps) {
            boolean done = false;
            for (int i = 0; i < steps; i++) {
                boolean moved = random.nextInt(4) > 0 && order.process();
                if (!moved) {
                    Token token = merged.poll();
                    moved = token != null;
                    if (moved) {
                        order.receive(token);
                    }
                }
                done |= moved;
            }
            while (order.process()) {
                done = true;
            }
            return done;
        }

        @Override
        public void close() {
            shards.forEach(shard -> shard.sort.close());
            merger.close();
            for (Token token = merged.poll(); token != null; token = merged.poll()) {
                if (token.payload() != null) {
                    token.payload().release();
                }
            }
            order.close();
        }
    }

    /** Reads one shard's log from a cut on: what the cut has is not sent again. */
    private final class Shard {
        private final List<Entry> left = new ArrayList<>();
        private final Link<Token> link;
        private final TsoSort sort;

        Shard(int shard, ShardCut from, long tso, Link<Token> link) {
            this.link = link;
            this.sort = new TsoSort(tso, any -> {});
            for (Entry entry : schedule.logs().get(shard)) {
                if (!from.resume().contains(sid(shard), entry.place() + 1)) {
                    left.add(entry);
                }
            }
        }

        boolean read(int most) {
            boolean done = send();
            while (most-- > 0 && !sort.hasLeaving() && link.hasRoom() && !left.isEmpty()) {
                Entry entry = left.remove(0);
                if (flaw == Flaw.UNSORTED) {
                    long tso = tsoOf(entry);
                    link.put(token(entry).withTso(entry.kind() == 'H' ? -tso : tso));
                } else {
                    sort.put(token(entry), entry.kind() == 'H' ? entry.tso() : 0, 0);
                }
                mostHeld = Math.max(mostHeld, sort.held());
                send();
                done = true;
            }
            return done;
        }

        private long tsoOf(Entry entry) {
            return entry.kind() != 'C'
                    ? entry.tso()
                    : schedule.logs().get(entry.shard()).stream()
                            .filter(other -> other.transaction() == entry.transaction())
                            .mapToLong(Entry::tso)
                            .max()
                            .orElseThrow();
        }

        private boolean send() {
            boolean done = false;
            while (sort.hasLeaving() && link.hasRoom()) {
                link.put(sort.poll());
                done = true;
            }
            return done;
        }
    }

    /** Runs to the end of all logs; returns how many payloads were not given back. */
    int run() {
        Cut cut = firstCut();
        Machinery machinery = new Machinery(cut);
        int idle = 0;
        while (idle < 200) {
            idle = machinery.step() ? 0 : idle + 1;
            if (random.nextInt(400) == 0) { // crash here, and go on from a cut
                cut = cutOf(machinery, cut.number() + 1);
                machinery.close();
                restarts++;
                machinery = new Machinery(cut);
            }
        }
        while (machinery.stepAll()) {}
        machinery.close();
        return payloads.held();
    }

    private Cut cutOf(Machinery machinery, long number) {
        Cut cut = machinery.order.cut(1, number, output.size(), 0);
        if (flaw != Flaw.NO_GAPS) {
            return cut;
        }
        List<ShardCut> shards = new ArrayList<>();
        for (ShardCut each : cut.shards()) {
            int shard = shards.size();
            GtidSet.Builder upTo = new GtidSet.Builder();
            long last = each.frontier().last(sid(shard));
            if (last > 0) {
                upTo.addRange(sid(shard), 1, last);
            }
            GtidSet all = upTo.build();
            shards.add(new ShardCut(each.name(), "", all, all, "", 4, each.round(), each.key()));
        }
        return new Cut(1, number, cut.transactions(), 0, cut.tso(), shards, Set.of(), List.of());
    }

    private Cut firstCut() {
        List<ShardCut> cuts = new ArrayList<>();
        for (int shard = 0; shard < schedule.logs().size(); shard++) {
            cuts.add(new ShardCut("s" + shard, "", GtidSet.EMPTY, GtidSet.EMPTY, "", 4, 0, 0));
        }
        return new Cut(1, 0, 0, 0, cuts, Set.of(), List.of());
    }

    private static Sid sid(int shard) {
        return new Sid(new UUID(1, shard));
    }

    private Token token(Entry entry) {
        TokenKind kind = switch (entry.kind()) {
            case 'L' -> TokenKind.LOCAL;
            case 'P' -> TokenKind.PREPARE;
            case 'C' -> TokenKind.COMMIT;
            case 'R' -> TokenKind.ROLLBACK;
            default -> TokenKind.ROUND;
        };
        boolean isBranch = "PCR".indexOf(entry.kind()) >= 0;
        return new Token(
                kind,
                entry.shard(),
                Token.key(kind == TokenKind.ROUND ? entry.round() : entry.round() + 1, entry.place()),
                sid(entry.shard()),
                entry.place() + 1,
                "binlog.000001",
                entry.place() + 1,
                0,
                0,
                0,
                entry.place() + 1,
                kind == TokenKind.ROUND ? 0 : entry.tso(),
                isBranch ? xid(entry.transaction(), entry.shard()) : null,
                entry.kind() == 'L' || entry.kind() == 'P' ? payloads.take() : null,
                List.of(),
                null,
                null);
    }

    private static Xid xid(int transaction, int shard) {
        byte[] gtrid = {(byte) (transaction >> 8), (byte) transaction};
        return new Xid(gtrid, new byte[] {(byte) shard}, 1);
    }

    // ---- the output

    @Override
    public void local(Token token) {
        Entry entry = entry(token);
        token.payload().release();
        output.add(new Output(entry.transaction(), Map.of(entry.shard(), entry.rows())));
    }

    @Override
    public long distributed(Distributed transaction) {
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
        output.add(new Output(first.transaction(), rows));
        return output.size();
    }

    @Override
    public void ddl(Token token) {
        throw new AssertionError("a schedule has no DDL");
    }

    @Override
    public void committed(Token commit, long number) {
        if (output.get((int) number - 1).transaction() != entry(commit).transaction()) {
            throw new AssertionError("number " + number + " is not that of " + commit);
        }
    }

    private Entry entry(Token token) {
        return schedule.logs().get(token.shard()).get((int) token.gno() - 1);
    }
}
