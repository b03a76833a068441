package io.tributary.node.role;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Outlet;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.LoggedTransaction;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenBody;
import io.tributary.store.PayloadAppender;
import io.tributary.store.PayloadStore;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Logs of all shards for a tree of relays, in memory. The payload of a token is derived from its shard and number. */
final class RelayLogs implements RelayTree.Source {
    final List<List<Entry>> entries = new ArrayList<>();
    private final PayloadStore store;

    /** A token of a log, without its payload. */
    record Entry(int shard, long gno, long key, int bytes) {}

    RelayLogs(Path directory) {
        store = RelayTree.Source.newStore(directory);
    }

    @Override
    public PayloadStore store() {
        return store;
    }

    @Override
    public Stage feed(int index, Cut from, Outlet<Token> out, RoundRequest demand) {
        return new Feed(index, from.shards().get(index), out);
    }

    private static Sid sid(int shard) {
        return new Sid(new UUID(77, shard));
    }

    /**
     * A cut.
     *
     * @param present its shards in their order
     * @param taken number of consumed tokens, by shard
     */
    Cut cut(List<Integer> present, int[] taken) {
        List<Cut.ShardCut> cuts = new ArrayList<>();
        for (int shard : present) {
            GtidSet resume = taken[shard] == 0
                    ? GtidSet.EMPTY
                    : GtidSet.EMPTY.toBuilder()
                            .addRange(sid(shard), 1, taken[shard])
                            .build();
            cuts.add(Cut.ShardCut.unread(RelayTree.Source.shardName(shard), "", resume, resume));
        }
        return new Cut(
                1,
                1,
                new Cut.Sources(cuts, Set.of()),
                new Cut.OutputPoint(0, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    /** Content of an entry's payload: one event. */
    static ByteBuffer event(Entry entry) {
        return RelayTree.Source.event(entry.shard() * 1_000_003L + entry.gno(), entry.bytes());
    }

    /** Puts a log's tokens on a link, with their payload in the store. */
    private final class Feed implements Stage {
        private final int index;
        private final List<Entry> log;
        private final Outlet<Token> out;
        private final PayloadAppender appender;
        private int next;

        Feed(int index, Cut.ShardCut from, Outlet<Token> out) {
            this.index = index;
            int shard = RelayTree.Source.shard(from);
            this.log = entries.get(shard);
            this.next = (int) from.resume().last(sid(shard));
            this.out = out;
            this.appender = store.appender(from.name());
        }

        @Override
        public String name() {
            return "feed-" + index;
        }

        @Override
        public int doWork() {
            if (next == log.size() || !out.hasRoom()) {
                return 0;
            }
            Entry entry = log.get(next++);
            ByteBuffer event = event(entry);
            appender.append(event, 0, event.capacity());
            out.put(new Token(
                    index,
                    entry.key(),
                    0,
                    new LoggedTransaction(sid(entry.shard()), entry.gno(), "binlog.000001", entry.gno() * 100, 0, 0, 0),
                    new TokenBody.LocalTransaction(appender.finish(), List.of())));
            return 1;
        }

        @Override
        public void close() {
            appender.close();
        }
    }
}
