package io.tributary.collector.order;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.xa.TransactionRegistry;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.order.xa.XaRules;
import io.tributary.collector.schema.DueStatement;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.testkit.order.ChangingShards;
import io.tributary.testkit.order.CountedPayload;
import io.tributary.testkit.order.Entry;
import io.tributary.testkit.order.ReplayedOutput;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Feeds a schedule's logs to {@link XaOrder}, merged by key or at random, with restarts at random cuts. */
final class Replay implements TransactionSink {
    private static final long NEVER = Long.MAX_VALUE;

    private final Schedule schedule;
    private final ChangingShards changing;
    private final SplittableRandom random;
    private final XaRules rules;
    private final boolean mergesAtRandom;
    private final ReplayedOutput output;
    private final CountedPayload.Counter payloads = new CountedPayload.Counter();
    private final ProtocolViolations violations = new ProtocolViolations();
    private final List<List<Token>> tokens = new ArrayList<>();
    private final Map<Integer, Integer> indexes = new HashMap<>();
    private LogicalClock clock;
    private boolean isExpected;
    private boolean hasLeft;
    private boolean skipsExpecting;
    private boolean skipsRereading;
    private boolean demandsNoRounds;
    private boolean forgetsPending;
    private int restarts;

    Replay(Schedule schedule, SplittableRandom random, XaRules rules, boolean mergesAtRandom) {
        this.schedule = schedule;
        this.changing = schedule.changing();
        this.random = random;
        this.rules = rules;
        this.mergesAtRandom = mergesAtRandom;
        this.output = new ReplayedOutput(schedule.logs());
        schedule.logs().forEach(log -> tokens.add(tokensOf(schedule, log)));
    }

    List<ReplayedOutput.Transaction> output() {
        return output.all();
    }

    int restarts() {
        return restarts;
    }

    ProtocolViolations violations() {
        return violations;
    }

    /** Whether a shard was asked to leave, and has left before the logs ended. */
    boolean hasLeft() {
        return hasLeft;
    }

    /** Runs to the end of all logs; returns how many payloads were not released. */
    int run() {
        Cut cut = ReplayedOutput.firstCut(changing.joins() ? tokens.size() - 1 : tokens.size());
        XaOrder order = newOrder(cut);
        ArrayDeque<Step> stream = steps(cut);
        while (!stream.isEmpty()) {
            stream.poll().take(order);
            int most = random.nextInt(8) == 0 ? random.nextInt(4) : Integer.MAX_VALUE;
            for (int steps = 0; steps < most && order.process(); steps++) {}
            if (random.nextInt(100) == 0) { // stop here and start again from a cut
                cut = order.cut(1, cut.number() + 1, output.all().size(), 0);
                cut = forgetsPending ? withoutPending(cut) : cut;
                order.close();
                restarts++;
                order = newOrder(cut);
                stream = steps(cut);
            }
        }
        while (order.process()) {}
        hasLeft = changing.leaves() && !names(order.cut(1, 1, 0, 0)).contains(Entry.shardName(changing.leaving()));
        order.close();
        return payloads.held();
    }

    private XaOrder newOrder(Cut cut) {
        clock = new LogicalClock(cut.shards().size(), output.all().size(), true);
        indexes.clear();
        names(cut).forEach(name -> indexes.put(Integer.parseInt(name.substring(1)), indexes.size()));
        SchemaOrder schema = TestSchema.listed(cut);
        return new XaOrder(
                XaOrders.states(cut, schema), schema, this, new TransactionRegistry(NEVER, violations), rules);
    }

    private static List<String> names(Cut cut) {
        return cut.shards().stream().map(ShardCut::name).toList();
    }

    // ---- shards that join and leave

    /** The next input of the collector: a token, or an operator's command. */
    private interface Step {
        void take(XaOrder order);
    }

    private void expect(XaOrder order) {
        int index = order.membership().expect();
        if (demandsNoRounds) {
            order.membership().cancelJoin(index);
        }
        indexes.put(changing.joining(), index);
        isExpected = true;
    }

    private void join(XaOrder order) {
        if (skipsExpecting) {
            expect(order);
        }
        GtidSet frontier = ReplayedOutput.first(changing.joining(), changing.joinFrontier());
        GtidSet resume = skipsRereading ? frontier : ReplayedOutput.first(changing.joining(), changing.joinResume());
        int index = indexes.get(changing.joining());
        order.membership().join(index, ReplayedOutput.cut(changing.joining(), resume, frontier));
        clock.join(index, output.all().size());
    }

    private void askToLeave(XaOrder order) {
        order.membership().requestLeave(indexes.get(changing.leaving()), changing.leavesAfter());
    }

    /** Leaves out the rule of {@link OrderMembership#expect}. */
    Replay withoutExpecting() {
        skipsExpecting = true;
        return this;
    }

    /** Starts to read a shard that joins at its frontier. */
    Replay withoutRereading() {
        skipsRereading = true;
        return this;
    }

    /** Requires no rounds from a shard that joins. */
    Replay withoutDemandingRounds() {
        demandsNoRounds = true;
        return this;
    }

    /** Resumes at the frontier of a cut, even if branches that were prepared before it are pending. */
    Replay withoutPending() {
        forgetsPending = true;
        return this;
    }

    private static Cut withoutPending(Cut cut) {
        List<ShardCut> shards = new ArrayList<>();
        for (ShardCut from : cut.shards()) {
            GtidSet processed = from.frontier();
            shards.add(new ShardCut(
                    from.name(),
                    from.serverUuid(),
                    new ResumePosition(
                            processed, from.position().file(), from.position().offset()),
                    processed,
                    from.round(),
                    from.key(),
                    Cut.LeftOutGtids.NONE));
        }
        return new Cut(cut.epoch(), cut.number(), new Cut.Sources(shards, cut.open()), cut.output(), cut.schemaPoint());
    }

    private static List<Token> tokensOf(Schedule schedule, List<Entry> log) {
        List<Token> tokens = new ArrayList<>(log.size());
        GtidSet.Builder executed = new GtidSet.Builder();
        long window = 1; // the round that ends the window of a token
        for (Entry entry : log) {
            tokens.add(token(schedule, entry, window, entry.kind() == 'P' ? executed.build() : null));
            executed.add(Entry.sid(entry.shard()), entry.place() + 1);
            if (entry.kind() == 'H') {
                window = Math.max(window, entry.round() + 1); // those of another cluster may be larger
            }
        }
        return tokens;
    }

    private static Token token(Schedule schedule, Entry entry, long window, GtidSet executed) {
        return new Token(
                entry.shard(),
                Token.key(window, (long) (entry.time() * 1e5)),
                0,
                new LoggedTransaction(
                        Entry.sid(entry.shard()),
                        entry.place() + 1,
                        "binlog.000001",
                        entry.place() + 1,
                        1_000_000_000L + (long) (entry.time() * 1e5),
                        lastCommitted(entry),
                        entry.place() + 1),
                entry.body(
                        entry.isBranch() ? entry.xid(schedule.gtrid(entry.transaction())) : null,
                        null,
                        executed == null ? null : new ResumePosition(executed, "binlog.000001", entry.place())));
    }

    /** The source's clock of an entry, whose sequence number is its index + 1. */
    static long lastCommitted(Entry entry) {
        return Math.max(0, entry.place() - entry.place() * 7919 % 13);
    }

    /** The token as an extractor of this pipeline would send it: with a payload, and the index that the shard has in it. */
    private Token received(Token token) {
        boolean hasPayload = token.kind() == TokenKind.LOCAL || token.kind() == TokenKind.PREPARE;
        return Tokens.again(token, indexes.get(token.shard()), hasPayload ? payloads.take() : null);
    }

    /** The tokens that the shards send from the cut, and the operator's commands meanwhile. */
    private ArrayDeque<Step> steps(Cut cut) {
        List<ArrayDeque<Token>> left = new ArrayList<>();
        for (int shard = 0; shard < tokens.size(); shard++) {
            int at = names(cut).indexOf(Entry.shardName(shard));
            int from = at < 0
                    ? tokens.get(shard).size()
                    : (int) cut.shards().get(at).resume().count();
            left.add(new ArrayDeque<>(
                    tokens.get(shard).subList(from, tokens.get(shard).size())));
        }
        ArrayDeque<Step> steps = new ArrayDeque<>();
        if (changing.joins() && !names(cut).contains(Entry.shardName(changing.joining()))) {
            if (isExpected
                    && !skipsExpecting) { // it was expected before the restart: nothing was emitted since that depends
                // on it
                steps.add(this::expect);
            } else if (!skipsExpecting) {
                add(steps, someOf(left, changing.expectedAt()));
                steps.add(this::expect);
            }
            add(steps, someOf(left, Double.MAX_VALUE));
            steps.add(this::join);
            List<Token> log = tokens.get(changing.joining());
            int from = skipsRereading ? changing.joinFrontier() : changing.joinResume();
            left.set(changing.joining(), new ArrayDeque<>(log.subList(from, log.size())));
        }
        add(steps, merged(left));
        if (changing.leaves() && names(cut).contains(Entry.shardName(changing.leaving()))) {
            List<Step> all = new ArrayList<>(steps);
            all.add(random.nextInt(1 + steps.size() / 2), this::askToLeave);
            return new ArrayDeque<>(all);
        }
        return steps;
    }

    private void add(ArrayDeque<Step> steps, Iterable<Token> more) {
        more.forEach(token -> steps.add(order -> order.receive(received(token))));
    }

    /** Removes some of the tokens that the shards logged before a time from their queues, merged. */
    private List<Token> someOf(List<ArrayDeque<Token>> left, double before) {
        List<ArrayDeque<Token>> early = new ArrayList<>();
        for (ArrayDeque<Token> one : left) {
            ArrayDeque<Token> some = new ArrayDeque<>();
            for (Token token : one) {
                if (schedule.realTime(output.entry(token)) >= before) {
                    break;
                }
                some.add(token);
            }
            early.add(some);
        }
        List<Token> all = new ArrayList<>(merged(early));
        List<Token> some = all.subList(0, random.nextInt(all.size() + 1));
        some.forEach(token -> left.get(token.shard()).remove());
        return some;
    }

    private ArrayDeque<Token> merged(List<ArrayDeque<Token>> left) {
        List<Token> all = new ArrayList<>();
        left.forEach(all::addAll);
        if (!mergesAtRandom) {
            all.sort(Comparator.comparingLong((Token token) -> token.key()).thenComparingInt(token -> token.shard()));
            return new ArrayDeque<>(all);
        }
        List<ArrayDeque<Token>> rest = left.stream().map(ArrayDeque::new).toList();
        ArrayDeque<Token> stream = new ArrayDeque<>();
        while (stream.size() < all.size()) {
            ArrayDeque<Token> one = rest.get(random.nextInt(rest.size()));
            for (int count = random.nextInt(1, 31); count > 0 && !one.isEmpty(); count--) {
                stream.add(one.poll());
            }
        }
        return stream;
    }

    // ---- the output

    @Override
    public void local(Token token) {
        output.local(token, clock.local(token, output.next()));
    }

    @Override
    public long distributed(DistributedTransaction transaction) {
        long lastCommitted = clock.distributed(transaction, output.next());
        return output.distributed(
                transaction.branches().stream().map(Branch::prepare).toList(), lastCommitted);
    }

    @Override
    public void ddl(Token token, boolean[] written) {
        throw new AssertionError("a schedule has no DDL");
    }

    @Override
    public void statement(DueStatement statement) {
        throw new AssertionError("a schedule has no DDL");
    }

    @Override
    public Question questionOf(Token token) {
        return null;
    }

    @Override
    public void committed(Token commit, long number) {
        output.committed(commit, number);
        clock.committed(commit, number);
    }
}
