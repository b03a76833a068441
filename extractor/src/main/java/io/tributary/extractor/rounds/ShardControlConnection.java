package io.tributary.extractor.rounds;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Backoff;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.pipeline.Wakeup;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.ShardErrors;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection for statements to one shard, with one current task: a sequence of statements, each sent after the answer to the previous one.
 * If the connection is lost, the task is repeated from its beginning on a new one, until it is done. Polled by one thread; never blocks.
 */
final class ShardControlConnection implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ShardControlConnection.class);
    private static final String SESSION =
            "SET autocommit = 1, time_zone = '+00:00', lock_wait_timeout = 10, innodb_lock_wait_timeout = 10";
    private static final long ANSWER_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** The longest pause while the shard answers and refuses, such as because it is read-only: it may accept at any moment. */
    private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final String shard;
    private final ShardConfig config;
    private final MysqlClient client;
    private final Clock clock;
    private final Backoff pause;
    private final Predicate<Throwable> refusal;
    private final Wakeup answered = new Wakeup();

    private CompletableFuture<MysqlConnection> connecting;
    private MysqlConnection connection;
    private CompletableFuture<QueryResult> answer;
    private Consumer<QueryResult> then;
    private Runnable task;
    private boolean isDone = true;
    private boolean isLost;
    private boolean isReported; // that the current task waits
    private boolean hasConnected;
    private boolean isPreparing; // the statement that was sent sets up the session
    private long answerUntil;
    private long retryAt;

    /** @param refusal called first with a statement's failure: it sends another statement and returns true, or throws, or returns false */
    ShardControlConnection(
            RoundTarget target, MysqlClient client, Clock clock, Backoff pause, Predicate<Throwable> refusal) {
        this.shard = target.shard();
        this.config = target.config();
        this.client = client;
        this.clock = clock;
        this.pause = pause;
        this.refusal = refusal;
        this.retryAt = clock.nanoTime();
    }

    /** Begins a task, which sends its first statement. */
    void begin(Runnable newTask) {
        task = newTask;
        isDone = false;
        if (connection != null) {
            task.run();
        }
    }

    /** Begins the current task again. */
    void repeat() {
        task.run();
    }

    /** Sends the task's next statement. */
    void send(String sql, Consumer<QueryResult> next) {
        then = next;
        answer = connection.query(sql);
        var unused = answer.whenComplete((result, failure) -> answered.ring());
        answerUntil = clock.nanoTime() + ANSWER_WITHIN_NANOS;
    }

    /** Ends the task. */
    void done() {
        isDone = true;
    }

    boolean isDone() {
        return isDone;
    }

    /**
     * Continues the task.
     *
     * @return how much was done
     * @throws TributaryException if the shard refuses
     */
    int poll() {
        if (isDone) {
            return 0;
        }
        if (connection == null) {
            return connect();
        }
        answered.listen();
        if (!answer.isDone()) {
            if (clock.nanoTime() - answerUntil > 0) {
                lost(new TributaryException(
                        ErrorCode.SHARD_UNREACHABLE, "shard " + shard + ": expected an answer, found none"));
            }
            return 0;
        }
        QueryResult result;
        try {
            result = answer.join();
        } catch (CompletionException e) {
            if (!refusal.test(e)) {
                isLost |= config.isOneOfSeveral(); // it answers and is read-only: another server may be the primary
                lost(ShardErrors.ofStatement(shard, e, "statement"));
            }
            return 1;
        }
        isLost = false;
        if (!isPreparing) { // a shard that refuses the task accepts the set-up each time
            pause.reset();
        }
        isPreparing = false;
        then.accept(result);
        if (isDone && isReported) {
            isReported = false;
            LOG.info("shard takes rounds again: shard={}", shard);
        }
        return 1;
    }

    /** Time until the next poll unless an answer arrives before, ns. */
    long restNanos() {
        if (isDone || connection != null) {
            return Stage.LONGEST_REST_NANOS;
        }
        return connecting != null ? Stage.POLL_REST_NANOS : Math.max(0, retryAt - clock.nanoTime());
    }

    private int connect() {
        if (connecting == null) {
            if (clock.nanoTime() - retryAt < 0) {
                return 0;
            }
            connecting = client.connect(config.endpoint());
            return 1;
        }
        if (!connecting.isDone()) {
            return 0;
        }
        try {
            connection = connecting.join();
        } catch (CompletionException e) {
            retryOrFail(ShardErrors.ofLogin(shard, e), Long.MAX_VALUE);
            return 1;
        } finally {
            connecting = null;
        }
        hasConnected = true;
        isPreparing = true;
        send(SESSION, ok -> task.run());
        return 1;
    }

    private void lost(TributaryException failure) {
        connection.close();
        connection = null;
        retryOrFail(failure, REFUSED_NANOS);
    }

    /** Repeats the task after a pause if the shard may recover; logs once until the task is done. */
    private void retryOrFail(TributaryException failure, long longestNanos) {
        TributaryException finalFailure = ShardErrors.orElsewhere(failure, config);
        boolean isHeld =
                hasConnected && finalFailure == failure && failure.code().holdsShard();
        if (!isHeld && !ShardErrors.mayPass(failure, config, isLost)) {
            throw finalFailure;
        }
        retryAt = clock.nanoTime() + Math.min(longestNanos, pause.nextNanos());
        isLost = true;
        if (!isReported) {
            isReported = true;
            LOG.warn("rounds wait for shard: shard={} reason=\"{}\"", shard, failure.getMessage());
        }
    }

    @Override
    public void close() {
        if (connecting != null) {
            var unused = connecting.thenAccept(MysqlConnection::close);
        }
        if (connection != null) {
            connection.close();
        }
    }
}
