package io.tributary.node.role;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.Payload;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.extractor.tso.TsoSort;
import io.tributary.node.order.TsoSchedule;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import io.tributary.testkit.order.ChangingShards;
import io.tributary.testkit.order.Entry;
import io.tributary.testkit.order.ReplayedOutput;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Logs of a schedule for a tree of relays, sorted by TSO where they are read. The schedule's rounds make no TSO certain. After the end of the logs,
 * every shard has rounds that are written while the tree runs.
 */
final class TsoLogs implements RelayTree.Source {
    private static final long ROUNDS_FROM = 1_000_000;

    private final TsoSchedule schedule;
    private final PayloadStore store;
    private final List<Long> rounds = new CopyOnWriteArrayList<>();
    private volatile boolean isExpected;

    TsoLogs(TsoSchedule schedule, Path directory) {
        this.schedule = schedule;
        this.store = RelayTree.Source.newStore(directory);
    }

    /** The TSOs in the rounds written so far; any thread. */
    List<Long> rounds() {
        return rounds;
    }

    /** Whether the joining shard is expected; before that no later entry is read. */
    boolean isExpected() {
        return isExpected;
    }

    void expect() {
        isExpected = true;
    }

    /** The cut without the joining shard. */
    Cut firstCut() {
        List<Cut.ShardCut> cuts = new ArrayList<>();
        int first = schedule.logs().size() - (schedule.changing().joins() ? 1 : 0);
        for (int shard = 0; shard < first; shard++) {
            cuts.add(from(shard, 0, 0));
        }
        return new Cut(
                1,
                1,
                new Cut.Sources(cuts, Set.of()),
                new Cut.OutputPoint(0, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    /** Start position and frontier of the joining shard. */
    Cut.ShardCut joining() {
        ChangingShards changing = schedule.changing();
        return from(changing.joining(), changing.joinResume(), changing.joinFrontier());
    }

    private static Cut.ShardCut from(int shard, int resume, int frontier) {
        return Cut.ShardCut.unread(
                RelayTree.Source.shardName(shard),
                "",
                ReplayedOutput.first(shard, resume),
                ReplayedOutput.first(shard, frontier));
    }

    @Override
    public PayloadStore store() {
        return store;
    }

    @Override
    public Stage feed(int index, Cut from, Outlet<Token> out, RoundRequest demand) {
        demand.committed(from.tso());
        return new Feed(index, from, out, demand);
    }

    private final class Feed implements Stage {
        private final int index;
        private final int shard;
        private final GtidSet resume;
        private final ArrayDeque<Entry> left = new ArrayDeque<>();
        private final Outlet<Token> out;
        private final PayloadAppender appender;
        private final TsoSort sort;
        private int nextRound;

        Feed(int index, Cut from, Outlet<Token> out, RoundRequest demand) {
            this.index = index;
            this.shard = RelayTree.Source.shard(from.shards().get(index));
            this.resume = from.shards().get(index).resume();
            this.out = out;
            this.appender = store.appender("feed");
            this.sort = new TsoSort(from.shards().get(index), from.tso(), demand::committed);
            schedule.logs().get(shard).stream()
                    .filter(entry -> !resume.contains(Entry.sid(shard), entry.place() + 1))
                    .forEach(left::add);
        }

        @Override
        public String name() {
            return "feed-" + index;
        }

        @Override
        public int doWork() {
            if (sort.hasLeaving()) {
                if (!out.hasRoom()) {
                    return 0;
                }
                out.put(sort.poll());
            } else if (!left.isEmpty() && !mayBeRead(left.peek())) {
                return 0;
            } else if (!left.isEmpty()) {
                sort.put(token(left.remove()), 0, 0);
            } else if (nextRound < rounds.size()) {
                round(nextRound++);
            } else {
                return 0;
            }
            return 1;
        }

        private boolean mayBeRead(Entry entry) {
            return isExpected
                    || !schedule.changing().joins()
                    || schedule.realTime(entry) < schedule.changing().expectedAt();
        }

        private void round(int number) {
            int place = schedule.logs().get(shard).size() + number;
            if (!resume.contains(Entry.sid(shard), place + 1)) {
                Entry entry = new Entry('H', -1, 0, shard, 0, place, List.of(), ROUNDS_FROM + number);
                sort.put(token(entry), rounds.get(number), 0);
            }
        }

        private Token token(Entry entry) {
            boolean isRound = entry.tokenKind() == TokenKind.ROUND;
            return new Token(
                    index,
                    Token.key(isRound ? entry.round() : entry.round() + 1, entry.place()),
                    isRound ? 0 : entry.tso(),
                    new LoggedTransaction(
                            Entry.sid(shard),
                            entry.place() + 1,
                            "binlog.000001",
                            100L * entry.place(),
                            0,
                            0,
                            entry.place() + 1),
                    entry.body(
                            entry.xid(entry.transaction()),
                            entry.hasRows() ? payload(entry) : null,
                            before(entry.place())));
        }

        private ResumePosition before(int place) {
            return new ResumePosition(ReplayedOutput.first(shard, place), "binlog.000001", 100L * place);
        }

        private Payload payload(Entry entry) {
            ByteBuffer event = RelayTree.Source.event(entry.place(), entry.place() * 131 % 400);
            appender.append(event, 0, event.capacity());
            return appender.finish();
        }

        @Override
        public void close() {
            sort.close();
            appender.close();
        }
    }
}
