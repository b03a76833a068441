package io.tributary.serve.select;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlRefusal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Executes the SELECTs on tables of all sessions: some at a time, the others wait. Any thread. */
public final class Selects {
    private static final int LONGEST_ZONE = 64;
    private static final String UTC = "+00:00";

    private final Optional<SelectShards> shards;
    private final Optional<SelectSlots> slots;
    private final StreamProgress progress;
    private final Clock clock;
    private final Map<Session, Reader> sessions = new ConcurrentHashMap<>();

    /** What is known of one session. */
    private static final class Reader {
        private final ReadBarrier barrier;
        private volatile String timeZone = UTC;
        private volatile Optional<Duration> longest = Optional.empty();
        private volatile SelectRun run;
        private volatile CompletableFuture<Void> awaited = CompletableFuture.completedFuture(null);

        Reader(ReadBarrier barrier) {
            this.barrier = barrier;
        }

        SelectSettings settings(Duration most) {
            Duration own = longest.orElse(most);
            return new SelectSettings(timeZone, own.compareTo(most) < 0 ? own : most);
        }
    }

    /** @param shards empty: SELECTs on tables are refused */
    public Selects(Optional<SelectShards> shards, StreamProgress progress, Clock clock) {
        this.shards = shards.filter(some -> some.config().enabled());
        this.slots = this.shards.map(some -> new SelectSlots(some.config()));
        this.progress = progress;
        this.clock = clock;
    }

    /** What is known of a session; nothing is kept of one that has ended. */
    private Reader reader(Session session) {
        Reader reader = sessions.computeIfAbsent(session, each -> new Reader(new ReadBarrier(progress, clock)));
        if (!session.isOpen()) {
            sessions.remove(session);
        }
        return reader;
    }

    /** Sets the time zone in which a session writes and gets TIMESTAMP values. */
    public void timeZone(Session session, String zone) {
        if (zone.length() > LONGEST_ZONE) {
            throw new SqlRefusal(
                    MysqlError.ER_UNKNOWN_TIME_ZONE,
                    "Unknown or incorrect time zone: expected at most " + LONGEST_ZONE + " characters, found "
                            + zone.length());
        }
        if (shards.isPresent()) {
            boolean isDefault = zone.equalsIgnoreCase("SYSTEM") || zone.equalsIgnoreCase("DEFAULT");
            reader(session).timeZone = isDefault ? UTC : zone;
        }
    }

    /** Sets the maximum duration of each SELECT of a session; empty: that of the configuration. */
    public void longest(Session session, Optional<Duration> longest) {
        if (shards.isPresent()) {
            reader(session).longest = longest;
        }
    }

    /** Forgets the settings of a session. */
    public void reset(Session session) {
        timeZone(session, "DEFAULT");
        longest(session, Optional.empty());
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
        SelectRun run = new SelectRun(session, select, from, new SelectRun.Watched(progress, clock, new Endings()));
        session.loop().execute(() -> enter(run));
    }

    private void enter(SelectRun run) {
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
        try {
            if (slots.orElseThrow().enter(run)) {
                start(run);
            } else {
                var unused = session.loop()
                        .schedule(() -> expire(run), config().timeout().toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (SqlRefusal refusal) {
            run.fail(refusal);
        }
    }

    private SelectConfig config() {
        return shards.orElseThrow().config();
    }

    private void start(SelectRun run) {
        Reader reader = sessions.get(run.session());
        if (reader != null) {
            run.start(reader.settings(config().longest()));
        } else {
            run.drop();
        }
    }

    private void expire(SelectRun run) {
        if (slots.orElseThrow().isWaiting(run)) {
            run.fail(new SqlRefusal(
                    MysqlError.ER_QUERY_TIMEOUT,
                    "SELECT on tables: expected that one of the SELECTs that run ends within serve.select.timeout, found"
                            + " none (serve.select.running, serve.select.user-running)"));
        }
    }

    /** What happens at the end of a SELECT. */
    private final class Endings implements SelectRun.Ending {
        @Override
        public void ended(SelectRun run, Map<String, GtidSet> seen) {
            slots.orElseThrow().forget(run);
            Reader reader = sessions.get(run.session());
            if (reader != null) {
                reader.run = null;
                reader.barrier.add(seen);
            }
        }

        @Override
        public void freed(SelectRun run) {
            for (SelectRun next : slots.orElseThrow().leave(run)) {
                next.session().loop().execute(() -> start(next));
            }
        }

        @Override
        public boolean isYoungestWithoutMemory(SelectRun run) {
            return slots.orElseThrow().isYoungestWithoutMemory(run);
        }
    }

    /** Whether a statement asks for a position of the binlog that must contain what the session has read before. */
    public boolean mustWait(Session session, String sql) {
        Reader reader = sessions.get(session);
        return reader != null && !reader.barrier.isOpen() && asksPosition(sql.toUpperCase(Locale.ROOT));
    }

    private static boolean asksPosition(String sql) {
        String text = sql.stripLeading();
        boolean isShow = (text.startsWith("SHOW") || text.startsWith("/*") && sql.contains("SHOW"))
                && (sql.contains("MASTER") || sql.contains("BINARY") || sql.contains("CHECKPOINT"));
        return isShow || sql.contains("GTID_EXECUTED") || sql.contains("'GTID%");
    }

    /** Completes when such a statement may be answered; fails with {@link SqlRefusal}. It ends with the session, and when it is cancelled. */
    public CompletableFuture<Void> awaitRead(Session session) {
        Reader reader = reader(session);
        reader.awaited = reader.barrier.await(session.loop(), config().timeout());
        return reader.awaited;
    }

    /** The client has disconnected. On the event loop of the session. */
    public void gone(Session session) {
        Reader reader = sessions.remove(session);
        if (reader != null) {
            reader.awaited.cancel(false);
            if (reader.run != null) {
                reader.run.drop();
            }
        }
    }
}
