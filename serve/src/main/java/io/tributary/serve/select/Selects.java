package io.tributary.serve.select;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlRefusal;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Executes the SELECTs on tables of all sessions: some at a time, the others wait. Any thread. */
public final class Selects {
    private static final int MAX_WAITING = 64;
    private static final int LONGEST_ZONE = 64;

    private final Optional<SelectShards> shards;
    private final StreamProgress progress;
    private final Clock clock;
    private final Map<Session, Reader> sessions = new ConcurrentHashMap<>();
    private final Deque<SelectRun> waiting = new ArrayDeque<>(); // guarded by this
    private final Set<SelectRun> running = new HashSet<>(); // guarded by this

    /** What is known of one session. */
    private static final class Reader {
        private final ReadBarrier barrier;
        private volatile String timeZone = "+00:00";
        private volatile SelectRun run;

        Reader(ReadBarrier barrier) {
            this.barrier = barrier;
        }
    }

    /** @param shards empty: SELECTs on tables are refused */
    public Selects(Optional<SelectShards> shards, StreamProgress progress, Clock clock) {
        this.shards = shards.filter(some -> some.config().enabled());
        this.progress = progress;
        this.clock = clock;
    }

    private Reader reader(Session session) {
        return sessions.computeIfAbsent(session, each -> new Reader(new ReadBarrier(progress, clock)));
    }

    /** Sets the time zone in which a session writes and gets TIMESTAMP values. */
    public void timeZone(Session session, String zone) {
        if (zone.length() > LONGEST_ZONE) {
            throw new SqlRefusal(
                    MysqlError.ER_UNKNOWN_TIME_ZONE,
                    "Unknown or incorrect time zone: expected at most " + LONGEST_ZONE + " characters, found "
                            + zone.length());
        }
        if (shards.isPresent() && session.isOpen()) {
            boolean isDefault = zone.equalsIgnoreCase("SYSTEM") || zone.equalsIgnoreCase("DEFAULT");
            reader(session).timeZone = isDefault ? "+00:00" : zone;
        }
    }

    /** Forgets the settings of a session. */
    public void reset(Session session) {
        timeZone(session, "DEFAULT");
    }

    /**
     * Executes a SELECT; the session gets its answer later.
     *
     * @param reads the tables that the user may read
     * @throws SqlRefusal if it cannot begin
     */
    public void run(Session session, TableSelect select, TableFilter reads) {
        SelectShards from = shards.filter(some -> !some.endpoints().get().isEmpty())
                .orElseThrow(
                        () -> SqlRefusal.unsupported("Tributary serves a binlog and holds no rows: SELECT on tables is"
                                + " answered by the shards if serve.select is true and this node has the shard.* keys of all"
                                + " shards; otherwise ask a shard, or the router before the shards; schema-only starts of tools"
                                + " are in docs/clients.md"));
        String schema = select.table().schema();
        if (!reads.reads(schema, select.table().table())) {
            throw new SqlRefusal(
                    MysqlError.ER_TABLEACCESS_DENIED_ERROR,
                    "SELECT command denied to user '" + session.user() + "' for table '"
                            + select.table().table() + "'");
        }
        SelectRun run = new SelectRun(session, select, from, new SelectRun.Watched(progress, clock, this::ended));
        session.loop().execute(() -> enter(run, from));
    }

    private void enter(SelectRun run, SelectShards from) {
        Session session = run.session();
        if (!session.isOpen()) {
            return;
        }
        if (session.isBinary()) {
            session.err(
                    MysqlError.ER_NOT_SUPPORTED_YET.packet(
                            "SELECT on tables: expected a statement in text form, found"
                                    + " one that was prepared on the server (Connector/J: useServerPrepStmts=false, useCursorFetch=false)"));
            return;
        }
        reader(session).run = run;
        session.onInterrupt(() -> session.loop().execute(() -> run.fail(new CancellationException())));
        boolean starts;
        synchronized (this) {
            starts = running.size() < from.config().running();
            if (starts) {
                running.add(run);
            } else if (waiting.size() < MAX_WAITING) {
                waiting.add(run);
            }
        }
        if (starts) {
            start(run);
        } else if (!isWaiting(run)) {
            run.fail(new SqlRefusal(
                    MysqlError.ER_USER_LIMIT_REACHED,
                    "SELECT on tables: expected at most " + from.config().running()
                            + " at a time (serve.select.running) and " + MAX_WAITING + " that wait, found more"));
        } else {
            var unused = session.loop()
                    .schedule(() -> expire(run), from.config().timeout().toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void start(SelectRun run) {
        Reader reader = sessions.get(run.session());
        run.start(reader == null ? "+00:00" : reader.timeZone);
    }

    private synchronized boolean isWaiting(SelectRun run) {
        return waiting.contains(run);
    }

    private void expire(SelectRun run) {
        if (isWaiting(run)) {
            run.fail(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "SELECT on tables: expected that one of the SELECTs that run ends within serve.select.timeout, found"
                            + " none (serve.select.running)"));
        }
    }

    private void ended(SelectRun run, Map<String, GtidSet> seen) {
        Reader reader = sessions.get(run.session());
        if (reader != null) {
            reader.run = null;
            reader.barrier.add(seen);
        }
        SelectRun next = null;
        synchronized (this) {
            waiting.remove(run);
            if (running.remove(run) && !waiting.isEmpty()) {
                next = waiting.remove();
                running.add(next);
            }
        }
        if (next != null) {
            SelectRun first = next;
            first.session().loop().execute(() -> start(first));
        }
    }

    /** Whether a statement asks for a position of the binlog that must contain what the session has read before. */
    public boolean mustWait(Session session, String sql) {
        Reader reader = sessions.get(session);
        return reader != null && !reader.barrier.isOpen() && asksPosition(sql.toUpperCase(Locale.ROOT));
    }

    private static boolean asksPosition(String sql) {
        boolean isShow = sql.contains("SHOW") && (sql.contains("MASTER") || sql.contains("BINARY"));
        return isShow || sql.contains("GTID_EXECUTED");
    }

    /** Completes when such a statement may be answered; fails with {@link SqlRefusal}. */
    public CompletableFuture<Void> awaitRead(Session session) {
        return reader(session)
                .barrier
                .await(session.loop(), shards.orElseThrow().config().timeout());
    }

    /** The client has disconnected. On the event loop of the session. */
    public void gone(Session session) {
        Reader reader = sessions.remove(session);
        if (reader != null && reader.run != null) {
            reader.run.drop();
        }
    }
}
