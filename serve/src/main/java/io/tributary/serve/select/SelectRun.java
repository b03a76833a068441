package io.tributary.serve.select;

import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.RowStream;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.schema.SqlText;
import io.tributary.serve.select.TableSelect.Item;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The execution of one SELECT. On the event loop of its session. */
final class SelectRun {
    private static final int POLL_MILLIS = 20;
    private static final int WATCH_MILLIS = 200;

    private static final int LONGEST_STATEMENT = 4 << 20;

    private final Session session;
    private final TableSelect select;
    private final SelectShards shards;
    private final Watched watched;
    private final EventLoop loop;
    private final List<SelectConnection> readers = new ArrayList<>();
    private final List<MemberTable> members = new ArrayList<>();
    private final List<Aggregate> aggregates = new ArrayList<>();
    private ScheduledFuture<?> watch;
    private KeyWeights weights = KeyWeights.NONE;
    private MergedRows rows; // of the streams that are read now
    private int nextMember;
    private long left;
    private RowStream out;
    private boolean isReading;
    private boolean isPumping;
    private boolean isComplete;
    private boolean hasEnded;
    private long movedNanos;

    /** A physical table and its shard. */
    private record MemberTable(SelectConnection shard, TableName physical) {}

    /**
     * What a SELECT is watched with.
     *
     * @param progress of the binlog
     */
    record Watched(StreamProgress progress, Clock clock, Ending ending) {}

    /** Called once at the end, before the last packet is sent. */
    interface Ending {
        /** @param seen by shard, the GTIDs that the client may have seen; empty after a failure */
        void ended(SelectRun run, Map<String, GtidSet> seen);
    }

    SelectRun(Session session, TableSelect select, SelectShards shards, Watched watched) {
        this.session = session;
        this.select = select;
        this.shards = shards;
        this.watched = watched;
        this.loop = session.loop();
        this.left = select.inner().limit().orElse(Long.MAX_VALUE);
    }

    Session session() {
        return session;
    }

    /**
     * Begins.
     *
     * @param timeZone the session's
     */
    void start(String timeZone) {
        if (hasEnded) {
            return;
        }
        movedNanos = watched.clock().nanoTime();
        watch = loop.scheduleWithFixedDelay(this::watch, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
        var unused = watched.progress()
                .newestCut()
                .thenComposeAsync(cut -> open(cut.orElse(null), timeZone), loop)
                .whenCompleteAsync(
                        (ready, failure) -> {
                            if (failure == null) {
                                guarded(this::read);
                            } else {
                                fail(failure);
                            }
                        },
                        loop);
    }

    private CompletableFuture<Void> forEachShard(Function<SelectConnection, CompletableFuture<?>> work) {
        return CompletableFuture.allOf(readers.stream().map(work).toArray(CompletableFuture<?>[]::new));
    }

    private CompletableFuture<Void> findMembers(SelectConnection reader) {
        return reader.members(select.table(), shards)
                .thenAccept(found -> found.forEach(physical -> members.add(new MemberTable(reader, physical))));
    }

    /** Connects to the shards of the binlog, finds the members of the table, and waits until what is in the binlog is visible on each shard. */
    private CompletableFuture<Void> open(Cut cut, String timeZone) {
        if (cut == null) {
            throw SqlRefusal.unsupported("SELECT on tables: expected a binlog that may be read, found none");
        }
        Map<String, Endpoint> endpoints = shards.endpoints().get();
        Map<String, GtidSet> frontiers = new HashMap<>();
        for (Cut.ShardCut shard : cut.shards()) {
            frontiers.put(shard.name(), shard.frontier());
            readers.add(new SelectConnection(shard.name(), shards.config()));
            if (!endpoints.containsKey(shard.name())) {
                throw SqlRefusal.unsupported(
                        "SELECT on tables: expected the shard.* keys of all shards of the binlog in"
                                + " the configuration of this node, found none of shard " + shard.name());
            }
        }
        MysqlClient client = new MysqlClient(loop);
        return forEachShard(reader -> reader.open(client, endpoints.get(reader.name()), timeZone))
                .thenCompose(opened -> forEachShard(reader -> awaitExecuted(reader, frontiers.get(reader.name()))))
                .thenCompose(executed -> forEachShard(this::findMembers))
                .thenCompose(found -> findWeights());
    }

    /** Finds the collations of the texts by which several members are compared. */
    private CompletableFuture<Void> findWeights() {
        List<String> keys = KeyWeights.keys(select);
        if (members.size() < 2 || keys.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        Set<Map<String, String>> forms = new HashSet<>();
        return CompletableFuture.allOf(members.stream()
                        .map(member ->
                                member.shard().weights(member.physical(), keys).thenAccept(forms::add))
                        .toArray(CompletableFuture<?>[]::new))
                .thenRun(() -> {
                    if (forms.size() > 1) {
                        throw SqlRefusal.unsupported(
                                "SELECT on tables: expected the same collations and lengths of the columns " + keys
                                        + " in all members of the table, found different ones");
                    }
                    weights = KeyWeights.of(select.inner(), forms.iterator().next());
                });
    }

    /** Waits until a shard's statements see these transactions. A shard may send a transaction to a dump before it is visible. */
    private CompletableFuture<Void> awaitExecuted(SelectConnection reader, GtidSet wanted) {
        return reader.executed().thenCompose(executed -> {
            CompletableFuture<Void> reached = new CompletableFuture<>();
            if (executed.containsAll(wanted)) {
                reached.complete(null);
                return reached;
            }
            var unused = loop.schedule(() -> reached.complete(null), POLL_MILLIS, TimeUnit.MILLISECONDS);
            return reached.thenCompose(again -> awaitExecuted(reader, wanted));
        });
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) { // reported to the client
            fail(e);
        }
    }

    private void read() {
        if (hasEnded) {
            return;
        }
        isReading = true;
        moved();
        if (members.isEmpty()) {
            throw new SqlRefusal(MysqlError.ER_NO_SUCH_TABLE, "Table '" + select.table() + "' doesn't exist");
        }
        if (members.size() > 1 && select.inner().isAggregate()) {
            select.inner().items().forEach(item -> aggregates.add(new Aggregate(item)));
            left = Long.MAX_VALUE;
            readNext();
        } else if (members.size() > 1 && !select.inner().order().isEmpty()) {
            select.outer().forEach(item -> aggregates.add(new Aggregate(item)));
            readOrdered();
        } else {
            left = members.size() == 1 ? Long.MAX_VALUE : left;
            readNext();
        }
    }

    /** Reads the members one after another. */
    private void readNext() {
        MemberTable member = members.get(nextMember++);
        String sql = members.size() == 1
                ? select.whole(member.physical())
                : select.inner().sql(member.physical(), weights);
        MemberStream stream =
                new MemberStream(member.shard().name(), member.shard().connection(), this::pump);
        MergedRows before = rows;
        rows = new MergedRows(before == null ? List.of(stream) : List.of(before.model(), stream), List.of(), weights);
        readFrom(stream, member.shard(), sql);
    }

    /** Reads the members of all shards at the same time, those of one shard by one statement. */
    private void readOrdered() {
        select.inner().hiddenKey().ifPresent(column -> {
            throw SqlRefusal.unsupported(
                    "SELECT on tables: expected the columns of ORDER BY among those of the result of a"
                            + " table with several members, found column " + column);
        });
        nextMember = members.size();
        Map<SelectConnection, List<TableName>> byShard = members.stream()
                .collect(Collectors.groupingBy(
                        MemberTable::shard, Collectors.mapping(MemberTable::physical, Collectors.toList())));
        Map<MemberStream, SelectConnection> streams = new HashMap<>();
        byShard.keySet()
                .forEach(shard -> streams.put(new MemberStream(shard.name(), shard.connection(), this::pump), shard));
        requireShort(byShard.values());
        rows = new MergedRows(List.copyOf(streams.keySet()), select.inner().order(), weights);
        streams.forEach(
                (stream, shard) -> readFrom(stream, shard, select.inner().union(byShard.get(shard), weights)));
    }

    /** The condition is repeated for each member. */
    private void requireShort(Collection<List<TableName>> byShard) {
        for (List<TableName> each : byShard) {
            long length = (long) each.size()
                    * select.inner().sql(each.get(0), weights).length();
            if (length > LONGEST_STATEMENT) {
                throw SqlRefusal.unsupported("SELECT on tables: expected a statement of at most " + LONGEST_STATEMENT
                        + " characters for all members of the table on a shard, found " + length + ": "
                        + each.size() + " members");
            }
        }
    }

    private void readFrom(MemberStream stream, SelectConnection shard, String sql) {
        var unused = shard.connection().stream(sql, stream).whenComplete((done, failure) -> {
            if (failure == null) {
                stream.done();
            } else {
                fail(failure);
            }
        });
    }

    /** Passes on rows as long as there are some and the client receives them. */
    private void pump() {
        if (isPumping || hasEnded || isComplete) {
            return;
        }
        isPumping = true;
        guarded(() -> {
            while (!hasEnded && left > 0 && rows.hasNext() && (out == null || out.hasRoom())) {
                ByteBuf row = rows.take();
                try {
                    accept(row);
                } finally {
                    row.release();
                }
            }
            if (out != null) {
                out.flush();
            }
            if (left == 0 && rows.model() != null || rows.isAtEnd() && nextMember == members.size()) {
                complete();
            } else if (!hasEnded && rows.isAtEnd()) {
                readNext();
            }
        });
        isPumping = false;
    }

    private void accept(ByteBuf row) {
        moved();
        left--;
        if (aggregates.isEmpty()) {
            sendColumns();
            out.row(weights.count() == 0 ? row : TextRow.first(row, rows.columns()));
            return;
        }
        for (int i = 0; i < aggregates.size(); i++) {
            boolean isNested = !select.outer().isEmpty();
            Item item =
                    isNested ? select.outer().get(i) : select.inner().items().get(i);
            int column = isNested ? rows.column(item.argument()) : i;
            int key = rows.keyColumn(isNested ? SqlText.name(item.argument()) : item.sql(), column);
            aggregates
                    .get(i)
                    .add(
                            TextRow.value(row, column),
                            TextRow.value(row, key),
                            rows.model().types().get(key));
        }
    }

    /** Sends the columns. */
    private void sendColumns() {
        if (out != null) {
            return;
        }
        List<ResultSet.Column> columns = new ArrayList<>();
        for (int i = 0; i < rows.columns(); i++) {
            columns.add(new ResultSet.Column(
                    rows.model().names().get(i), rows.model().types().get(i)));
        }
        sendColumns(columns);
    }

    private void sendColumns(List<ResultSet.Column> columns) {
        out = session.stream(columns);
        out.onRoom(this::pump);
    }

    /** Asks the shards what they have executed by now, then ends the answer. */
    private void complete() {
        isComplete = true;
        if (!select.outer().isEmpty() && !aggregates.isEmpty()) {
            sendAggregateColumns();
        } else {
            sendColumns();
        }
        if (!aggregates.isEmpty()) {
            ByteBuf row = TextRow.of(aggregates.stream().map(Aggregate::value).toArray(byte[][]::new));
            try {
                out.row(row);
            } finally {
                row.release();
            }
        }
        rows.discard();
        Map<String, GtidSet> seen = new HashMap<>();
        var unused = forEachShard(reader -> reader.seen().thenAccept(set -> seen.put(reader.name(), set)))
                .whenComplete((asked, failure) -> {
                    if (failure != null) {
                        fail(failure);
                    } else if (!hasEnded) {
                        end(seen);
                        out.end();
                    }
                });
    }

    private void sendAggregateColumns() {
        List<ResultSet.Column> columns = new ArrayList<>();
        for (Item item : select.outer()) {
            ResultColumnType type = rows.model().types().get(rows.column(item.argument()));
            columns.add(new ResultSet.Column(item.sql(), type));
        }
        sendColumns(columns);
    }

    private void moved() {
        movedNanos = watched.clock().nanoTime();
    }

    /** Ends a SELECT that does not begin in time, or that stands still. */
    private void watch() {
        long age = watched.clock().nanoTime() - movedNanos;
        if (!isReading && age > shards.config().timeout().toNanos()) {
            fail(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "SELECT on tables: expected that all shards answer and have executed what is in the binlog within"
                            + " serve.select.timeout, found that they have not"));
        } else if (isReading && age > shards.config().stall().toNanos()) {
            boolean isClient = out != null && !out.hasRoom();
            fail(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "SELECT on tables: expected progress within serve.select.stall, found none: "
                            + (isClient ? "the client reads nothing" : "a shard sends nothing")));
            if (isClient) {
                session.close();
            }
        }
    }

    /** Ends it with an error; on the event loop. */
    void fail(Throwable failure) {
        if (hasEnded) {
            return;
        }
        end(Map.of());
        if (out == null) {
            session.err(SelectFailure.packet(failure));
        } else {
            out.fail(SelectFailure.packet(failure));
        }
    }

    /** The client has disconnected; on the event loop. */
    void drop() {
        if (!hasEnded) {
            end(Map.of());
        }
    }

    private void end(Map<String, GtidSet> seen) {
        hasEnded = true;
        if (watch != null) {
            watch.cancel(false);
        }
        if (rows != null) {
            rows.discard();
        }
        readers.forEach(SelectConnection::close);
        watched.ending().ended(this, seen);
    }
}
