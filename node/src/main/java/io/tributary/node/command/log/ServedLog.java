package io.tributary.node.command.log;

import io.tributary.changes.ServerDefinitions;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.node.command.order.StoredFiles;
import io.tributary.node.process.StopSignal;
import io.tributary.replay.session.NodeDump;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.serve.sql.SqlTime;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The binlog of a running node, read through its MySQL port, as a replica reads it that stops at the end. The node sends also what is purged there, if
 * its backup has it. For one thread.
 */
final class ServedLog implements LogReading, AutoCloseable {
    private static final int POLL_BYTES = 1 << 20;
    private static final int QUEUE_BYTES = 8 << 20;
    private static final long PAUSE_NANOS = 200_000;
    /** Server ids of such readers begin here; the node's number of the connection is added. */
    private static final long FIRST_SERVER_ID = 0x7d00_0000L;

    private final MysqlClient client;
    private final Peer node;
    private final LogSelection selection;
    private final StopSignal stop;
    private final Consumer<String> notes;
    private final LongConsumer progress;
    private final TransactionChoice choice;
    private final ServedEvents events;
    private final ServerDefinitions definitions;
    private final SqlSession session;
    private final NavigableMap<String, Long> files = new TreeMap<>(
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder())); // sizes by name
    private long total;

    /**
     * The node to read.
     *
     * @param client is closed by the caller
     * @param stop ends the reading
     */
    record Port(MysqlClient client, Peer node, StopSignal stop) {}

    /**
     * Connects to the node.
     *
     * @param notes receives sentences for the user
     * @param progress receives the bytes that were read so far
     * @throws TributaryException NODE_UNREACHABLE, READER_REFUSED
     */
    ServedLog(Port access, LogSelection selection, LogHandler handler, Consumer<String> notes, LongConsumer progress) {
        this.client = access.client();
        this.node = access.node();
        this.selection = selection;
        this.stop = access.stop();
        this.notes = notes;
        this.progress = progress;
        this.session = SqlSession.open(client, node);
        this.definitions = definitions();
        this.choice = new TransactionChoice(selection, handler, this::definition);
        this.events = new ServedEvents(choice);
    }

    private ServerDefinitions definitions() {
        try {
            return new ServerDefinitions(client, node);
        } catch (RuntimeException e) {
            session.close();
            throw e;
        }
    }

    /** The definitions of what is purged on the node are not known there: rows whose table maps name the columns can still be read. */
    private Optional<TableDefinition> definition(Gtid transaction, TableName table) {
        try {
            return definitions.after(transaction, table);
        } catch (TributaryException e) {
            if (isPurged(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean isPurged(TributaryException failure) {
        return failure.getCause() instanceof MysqlServerError error
                && error.is(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG);
    }

    /** Throws also NODE_UNREACHABLE; READER_REFUSED if selected transactions are purged and in no backup, or the account lacks a right. */
    @Override
    public void run() {
        try {
            during(session, () -> read(session, before(session)));
        } catch (TributaryException e) {
            boolean isRefused =
                    isPurged(e) && events.file().isEmpty() && selection.gtids().isEmpty();
            if (!isRefused) {
                throw e;
            }
            readFromFirst();
        }
    }

    /** Does work that may wait for the node; a signal ends the wait. */
    private void during(SqlSession busy, Runnable work) {
        Runnable breaker = () -> {
            busy.close();
            definitions.close();
        };
        stop.<Boolean, RuntimeException>during(breaker, () -> {
            work.run();
            return true;
        });
    }

    /** Reads what the node has itself, because it has no backup of the rest. */
    private void readFromFirst() {
        try (SqlSession another = SqlSession.open(client, node)) {
            during(another, () -> {
                GtidSet purged = GtidSet.parse(position(another, 0).text(0, "Gtids_before"));
                notes.accept("transactions " + purged.line()
                        + " are purged on the node, and its backup does not have all of them: they are not shown");
                read(another, purged);
            });
        }
    }

    /** The transactions before the first one that may be selected. */
    private GtidSet before(SqlSession session) {
        GtidSet executed = GtidSet.parse(session.value("SELECT @@GLOBAL.gtid_executed"));
        sizes(session);
        if (selection.gtids().isPresent()) {
            return before(executed, selection.gtids().get());
        }
        if (selection.earliest() == Long.MIN_VALUE) {
            return GtidSet.EMPTY;
        }
        QueryResult found = position(session, Math.max(0, selection.earliest()));
        boolean maybeEarlier = !found.text(0, "Note").isEmpty();
        return maybeEarlier ? GtidSet.EMPTY : GtidSet.parse(found.text(0, "Gtids_before"));
    }

    private GtidSet before(GtidSet executed, GtidSet wanted) {
        if (!executed.isEmpty() && !executed.sids().containsAll(wanted.sids())) {
            throw StoredFiles.refused("expected transactions of the binlog, with the source "
                    + executed.sids().get(0) + ", found " + wanted.line()
                    + ": for a transaction of a shard see tributary origin");
        }
        GtidSet.Builder before = GtidSet.EMPTY.toBuilder();
        for (Sid sid : wanted.sids()) {
            GtidSet all = GtidSet.EMPTY.toBuilder()
                    .addRange(sid, 1, Long.MAX_VALUE - 1)
                    .build();
            long first = all.minus(wanted).firstMissing(sid, 1);
            if (first > 1) {
                before.addRange(sid, 1, first - 1);
            }
        }
        return before.build().intersect(executed);
    }

    private QueryResult position(SqlSession session, long micros) {
        String query = "SHOW TRIBUTARY POSITION FOR TIME '" + SqlTime.text(micros) + "'";
        try {
            return session.query(query);
        } catch (MysqlServerError e) {
            throw session.failed(query, e);
        }
    }

    private void sizes(SqlSession session) {
        String query = "SHOW BINARY LOGS";
        try {
            QueryResult answer = session.query(query);
            for (int row = 0; row < answer.rows().size(); row++) {
                files.put(answer.text(row, "Log_name"), Long.parseLong(answer.text(row, "File_size")));
            }
        } catch (MysqlServerError e) {
            throw session.failed(query, e);
        }
    }

    /** Bytes of the file that was read first and of all files after it; 0 while that is not known. */
    long total() {
        if (total == 0 && files.containsKey(events.file())) {
            total = events.place().bytes()
                    - events.place().position()
                    + files.tailMap(events.file()).values().stream()
                            .mapToLong(Long::longValue)
                            .sum();
        }
        return total;
    }

    private void read(SqlSession session, GtidSet before) {
        try (BinlogStream stream = dump(session, before)) {
            events.begin(stream.checksummed());
            while (!choice.isDone() && stream.isOpen()) {
                StoredFiles.requireRunning(stop);
                int consumed = stream.poll(events, POLL_BYTES);
                progress.accept(events.place().bytes());
                if (consumed == 0 && stream.isOpen()) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
            if (!choice.isDone()) {
                NodeDump.requireUnbroken(node, stream);
            }
        }
    }

    private BinlogStream dump(SqlSession session, GtidSet before) {
        long number = session.connection().threadId();
        UUID uuid = UUID.nameUUIDFromBytes(("tributary log " + number).getBytes(StandardCharsets.UTF_8));
        BinlogDump dump = BinlogDump.after(before, FIRST_SERVER_ID + (number & 0xff_ffff), uuid)
                .withoutWaiting()
                .withBounds(QUEUE_BYTES, choice.largestEvent());
        return NodeDump.begin(session, dump);
    }

    @Override
    public LogPlace place() {
        return events.place();
    }

    @Override
    public void close() {
        session.close();
        definitions.close();
    }
}
