package io.tributary.apply;

import io.tributary.apply.row.EventRows;
import io.tributary.apply.row.RowForm;
import io.tributary.apply.row.SqlRows;
import io.tributary.apply.row.TargetKeys;
import io.tributary.apply.row.TargetTables;
import io.tributary.apply.schedule.ApplySchedule;
import io.tributary.apply.schedule.Dependencies;
import io.tributary.apply.schedule.KeyWriters;
import io.tributary.apply.schedule.OneAfterAnother;
import io.tributary.apply.schedule.ScheduleFigures;
import io.tributary.apply.schedule.StreamClock;
import io.tributary.apply.server.AloneSession;
import io.tributary.apply.server.ApplyProgress;
import io.tributary.apply.server.ApplyServer;
import io.tributary.apply.server.ApplySession;
import io.tributary.apply.server.ApplyStream;
import io.tributary.apply.server.GroupMark;
import io.tributary.apply.server.Turn;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.StreamReader;
import io.tributary.replay.stream.TransactionInput;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the stream of a node to a target. A run ends with its first error; the next one resumes after what the target has executed. One run at a
 * time.
 */
public final class Applier {
    private static final Logger LOG = LoggerFactory.getLogger(Applier.class);
    private static final long CHECKPOINT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** A larger part of the memory would leave the sessions without work while one transaction is read. */
    private static final int HELD_PART = 4;
    /** Rows in hexadecimal are longer than their events in base64. */
    private static final double SQL_PART = 0.6;

    private final MysqlClient client;
    private final ApplyPlan plan;
    private final Clock clock;
    private final ScheduleFigures figures = new ScheduleFigures();
    private volatile Run current;

    public Applier(MysqlClient client, ApplyPlan plan, Clock clock) {
        this.client = client;
        this.plan = plan;
        this.clock = clock;
    }

    /** What all runs have done. */
    public ScheduleFigures figures() {
        return figures;
    }

    /** The state of the current run, or of the last one; {@link ApplyPosition#NONE} before the first one. Any thread. */
    public ApplyPosition position() {
        Run run = current;
        return run == null ? ApplyPosition.NONE : run.position();
    }

    /**
     * Applies transactions until an error or an interrupt.
     *
     * @param node a MySQL port from which the stream is read
     * @param threads in which the sessions run; it must have a free thread for each
     * @throws io.tributary.common.error.TributaryException NODE_UNREACHABLE, READER_REFUSED, REPLAY_FAILED, or an error of the target: TARGET_UNREACHABLE,
     *     TARGET_LOGIN_REFUSED, TARGET_UNFIT, TARGET_FAILED
     * @throws CancellationException after an interrupt
     */
    public void run(Peer node, ExecutorService threads) {
        Sid sid = streamOf(node);
        boolean sendsEvents = plan.settings().backend() == ApplyBackend.EVENTS;
        try (ApplyServer server = ApplyServer.open(client, plan.target(), sendsEvents, plan.name())) {
            boolean isStrict = plan.settings().order() == ApplyOrder.STRICT;
            ApplyProgress progress = server.progress(
                    new ApplyStream(plan.name(), sid, isStrict), plan.start().orElse(GtidSet.EMPTY));
            GtidSet executed = progress.executed();
            LOG.info(
                    "applier starts: node={} target={} stream={} executed={}",
                    node.name(),
                    plan.target().name(),
                    sid,
                    executed.line());
            new Run(server, progress, executed, sid).run(node, threads);
        }
    }

    private Sid streamOf(Peer node) {
        try (SqlSession session = SqlSession.open(client, node)) {
            return Sid.parse(session.value("SELECT @@GLOBAL.server_uuid"));
        }
    }

    /** A replica of the node that is always the same for one name of progress, so that a new connection replaces the one before it. */
    private StreamReader.Replica replica() {
        byte[] name = ("tributary apply " + plan.name() + " " + plan.target().name()).getBytes(StandardCharsets.UTF_8);
        CRC32 id = new CRC32();
        id.update(name);
        return new StreamReader.Replica(Math.max(1, id.getValue()), UUID.nameUUIDFromBytes(name));
    }

    /** One run. */
    private final class Run implements StreamReader.Turns {
        private final ApplyServer server;
        private final ApplyProgress progress;
        private final GtidSet executed;
        private final Sid sid;
        private final ApplyPlan.Limits limits = plan.settings().limits();
        private final boolean isStrict = plan.settings().order() == ApplyOrder.STRICT;
        private final boolean isGrouped = plan.settings().order() == ApplyOrder.GROUP;
        private final ApplySchedule schedule;
        private GroupMark mark;
        private ApplyInput input;
        private long checkpointAt;

        Run(ApplyServer server, ApplyProgress progress, GtidSet executed, Sid sid) {
            this.server = server;
            this.progress = progress;
            this.executed = executed;
            this.sid = sid;
            this.schedule = new ApplySchedule(
                    new ApplySchedule.Limits(limits.sessions(), limits.bytes(), isStrict),
                    dependencies(),
                    figures,
                    clock);
        }

        private Dependencies dependencies() {
            return switch (plan.settings().dependency()) {
                case WRITESET -> new KeyWriters();
                case STREAM -> new StreamClock();
                case NONE -> new OneAfterAnother();
            };
        }

        void run(Peer node, ExecutorService threads) {
            boolean sendsEvents = plan.settings().backend() == ApplyBackend.EVENTS;
            TargetTables tables = new TargetTables(server.control(), !sendsEvents);
            try (AloneSession alone = new AloneSession(server, progress, rows(tables))) {
                ApplyInput.Work work = new ApplyInput.Work(schedule, alone, tables, new TargetKeys(tables), figures);
                input = new ApplyInput(sid, plan, work, server.isOld(), progress.previous());
                mark = isGrouped ? new GroupMark(server.control(), plan.name()) : null;
                checkpointAt = clock.nanoTime() + CHECKPOINT_NANOS;
                current = this;
                long packet = server.maxAllowedPacket();
                TransactionInput events = new TransactionInput(
                        input, sendsEvents ? packet : (long) (packet * SQL_PART), limits.bytes() / HELD_PART);
                List<ApplySession> sessions = new ArrayList<>();
                List<Future<?>> running = new ArrayList<>();
                try {
                    open(sessions, tables, threads);
                    for (int i = 0; i < sessions.size(); i++) {
                        int index = i;
                        running.add(threads.submit(() -> sessions.get(index).run(schedule, figures, index)));
                    }
                    new StreamReader(client, node, replica(), clock).follow(events, executed, this);
                } finally {
                    schedule.close();
                    sessions.forEach(ApplySession::close);
                    running.forEach(Applier::awaitEnd);
                }
            }
        }

        /** Opens all sessions at the same time: each needs several round trips. Those that were opened are in the list, also after an error. */
        private void open(List<ApplySession> sessions, TargetTables tables, ExecutorService threads) {
            Turn turn = server.turns(isStrict, limits.sessions());
            ApplySession.Run run = new ApplySession.Run(server, progress, turn);
            List<Future<ApplySession>> opening = new ArrayList<>();
            for (int i = 0; i < limits.sessions(); i++) {
                int index = i;
                opening.add(threads.submit(() -> new ApplySession(run, index, rows(tables))));
            }
            RuntimeException failure = null;
            for (Future<ApplySession> next : opening) {
                try {
                    sessions.add(opened(next));
                } catch (RuntimeException e) {
                    failure = failure == null ? e : failure;
                }
            }
            if (failure != null) {
                throw failure;
            }
        }

        private RowForm rows(TargetTables tables) {
            return plan.settings().backend() == ApplyBackend.EVENTS
                    ? new EventRows()
                    : new SqlRows(tables, plan.settings().overwrites());
        }

        @Override
        public void turn() {
            schedule.check();
            if (clock.nanoTime() - checkpointAt >= 0) {
                server.requireOpen();
                progress.checkpoint(schedule.takeApplied());
                checkpointAt = clock.nanoTime() + CHECKPOINT_NANOS;
            }
            if (isGrouped && input.ungrouped() >= limits.group()) {
                group();
            }
        }

        @Override
        public void idle() {
            input.flush();
            if (isGrouped && input.ungrouped() > 0) {
                group();
            }
        }

        private void group() {
            input.drain();
            mark.write(input.newest().gtid());
            input.grouped();
        }

        ApplyPosition position() {
            ApplyInput from = input;
            return from == null ? ApplyPosition.NONE : new ApplyPosition(executed, from.newest(), schedule.oldest());
        }
    }

    /** Waits also after an interrupt, for the limited time that a login takes, so that no session is left open. */
    private static ApplySession opened(Future<ApplySession> session) {
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return session.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void awaitEnd(Future<?> running) {
        try {
            var unused = running.get();
        } catch (ExecutionException | CancellationException e) {
            LOG.debug("session ended: error=\"{}\"", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
