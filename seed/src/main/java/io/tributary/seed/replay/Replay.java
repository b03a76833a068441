package io.tributary.seed.replay;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.StreamReader;
import io.tributary.seed.replica.TargetWriters;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays transactions of a node's stream onto a target whose tables were copied meanwhile. The target's {@code gtid_executed} is the
 * progress: a later run resumes exactly after what has committed. The copied tables are exact after the run, whatever the copy has read in
 * each of their chunks, if every chunk was read after the first replayed transaction and before the last one.
 */
public final class Replay {
    private static final Logger LOG = LoggerFactory.getLogger(Replay.class);
    private static final int FIRST_ATOMIC = 8;
    /** The log of the replay is short when it is folded after so many transactions. */
    private static final long FOLD_AFTER = 200_000;

    private final MysqlClient client;
    private final TargetWriters target;
    private final ReplayConfig config;
    private final StreamReader stream;

    /**
     * @param node a MySQL port from which the stream is read
     * @param target opens the sessions that write; its user may set GTIDs and replay events (REPLICATION_APPLIER and SYSTEM_VARIABLES_ADMIN, or SUPER), and change all tables
     */
    public Replay(MysqlClient client, Peer node, TargetWriters target, ReplayConfig config, Clock clock) {
        this.client = client;
        this.target = target;
        this.config = config;
        this.stream = new StreamReader(client, node, config.replica(), clock);
    }

    /**
     * Runs it; returns after all these transactions have committed on the target.
     *
     * @param upTo the transactions of the stream up to the end of the replay: one UUID
     * @param threads in which the sessions run; it must have a free thread for each
     * @throws TributaryException TARGET_UNREACHABLE, NODE_UNREACHABLE: a later run resumes; TARGET_FAILED, TARGET_UNFIT, READER_REFUSED, SEED_FAILED
     */
    public ReplayResult run(GtidSet upTo, ReplayScope scope, ReplayListener listener, ExecutorService threads) {
        if (upTo.sids().size() > 1) {
            throw new IllegalArgumentException("expected GTIDs of one UUID, found " + upTo);
        }
        ReplayLog.fold(target);
        TargetState state = TargetState.read(client, target.peer());
        GtidSet left = upTo.minus(state.executed());
        if (left.isEmpty()) {
            return new ReplayResult(Set.of(), 0);
        }
        Sid sid = upTo.sids().get(0);
        Gtid last = new Gtid(sid, left.last(sid));
        LOG.debug("replay begins: target={} from={} to={}", target.peer().name(), left.line(), last);
        ReplayDispatch dispatch = new ReplayDispatch(config.sessions(), config.bytesInFlight());
        Progress progress = new Progress(dispatch, listener);
        try (SerialReplay alone = new SerialReplay(target, state.major() < FIRST_ATOMIC, dispatch)) {
            ReplayInput reader = new ReplayInput(last, scope, listener, alone);
            List<ReplaySession> sessions = new ArrayList<>();
            List<Future<?>> running = new ArrayList<>();
            try {
                for (int i = 0; i < config.sessions(); i++) {
                    sessions.add(ReplaySession.open(target, alone.form()));
                }
                for (int i = 0; i < config.sessions(); i++) {
                    int number = i;
                    running.add(threads.submit(() -> applyAll(sessions.get(number), number, dispatch)));
                }
                stream.read(reader.input(state.maxAllowedPacket(), config.held()), state.executed(), progress);
                dispatch.drain();
                listener.applied(dispatch.transactions(), dispatch.transactionBytes());
            } finally {
                dispatch.close();
                sessions.forEach(ReplaySession::close);
                running.forEach(Replay::awaitEnd);
            }
            ReplayLog.fold(target);
            LOG.debug("replay ended: target={} transactions={}", target.peer().name(), dispatch.transactions());
            return new ReplayResult(reader.dirtyTables(), dispatch.transactions());
        }
    }

    private static void applyAll(ReplaySession session, int number, ReplayDispatch dispatch) {
        try {
            List<ReplayTransaction> next = dispatch.take(number);
            while (!next.isEmpty()) {
                session.apply(next);
                dispatch.committed(number, next.size());
                next = dispatch.take(number);
            }
        } catch (RuntimeException e) {
            dispatch.fail(e);
        } catch (Error e) {
            dispatch.fail(new TributaryException(ErrorCode.INTERNAL, "a replay session failed: " + e, e));
            throw e;
        }
    }

    /** Reports what was applied, and keeps the log of the replay short. */
    private final class Progress implements StreamReader.Turns {
        private final ReplayDispatch dispatch;
        private final ReplayListener listener;
        private long reported;
        private long folded;

        Progress(ReplayDispatch dispatch, ReplayListener listener) {
            this.dispatch = dispatch;
            this.listener = listener;
        }

        @Override
        public void turn() {
            dispatch.check();
            long now = dispatch.transactions();
            if (now != reported) {
                reported = now;
                listener.applied(now, dispatch.transactionBytes());
            }
            if (reported - folded > FOLD_AFTER) {
                dispatch.drain();
                ReplayLog.fold(target);
                folded = reported;
            }
        }
    }

    private static void awaitEnd(Future<?> running) {
        try {
            var unused = running.get();
        } catch (ExecutionException | CancellationException e) {
            LOG.debug("replay session ended: error=\"{}\"", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
