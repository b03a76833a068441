package io.tributary.extractor;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Bell;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
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
 * A connection for statements to one shard and the one task at hand on it: statements that follow each other's answers. When the
 * connection is lost the task is repeated from its beginning on a new one, until it is done. Polled by one thread, never blocks.
 */
final class ControlLine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlLine.class);
    private static final String SESSION =
            "SET autocommit = 1, time_zone = '+00:00', lock_wait_timeout = 10, innodb_lock_wait_timeout = 10";
    private static final long ANSWER_WITHIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final String shard;
    private final ShardConfig config;
    private final MysqlClient client;
    private final Clock clock;
    private final Pause pause;
    private final Predicate<Throwable> refusal;
    private final Bell answered = new Bell();

    private CompletableFuture<MysqlConnection> connecting;
    private MysqlConnection connection;
    private CompletableFuture<QueryResult> answer;
    private Consumer<QueryResult> then;
    private Runnable task;
    private boolean isDone = true;
    private boolean isLost;
    private boolean isTold; // that the task at hand waits
    private boolean hasConnected;
    private long answerUntil;
    private long retryAt;

    /** @param refusal told of a statement's failure first: continues with another one and says true, or throws, or says false */
    ControlLine(
            String shard,
            ShardConfig config,
            MysqlClient client,
            Clock clock,
            Pause pause,
            Predicate<Throwable> refusal) {
        this.shard = shard;
        this.config = config;
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

    /** Begins the task at hand again. */
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

    /** The task is done. */
    void done() {
        isDone = true;
    }

    boolean isDone() {
        return isDone;
    }

    /**
     * Goes on with the task.
     *
     * @return how much was done
     * @throws TributaryException when the shard refuses
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
                        ErrorCode.SHARD_UNREACHABLE, "shard " + shard + ": expected an answer, came none"));
            }
            return 0;
        }
        QueryResult result;
        try {
            result = answer.join();
        } catch (CompletionException e) {
            if (!refusal.test(e)) {
                isLost |= config.isOneOfSeveral(); // it answers and takes no writes: another one may be in charge
                lost(ShardErrors.ofStatement(shard, e, "statement"));
            }
            return 1;
        }
        if (isLost) {
            isLost = false;
            pause.reset();
        }
        then.accept(result);
        if (isDone && isTold) {
            isTold = false;
            LOG.info("shard {}: takes rounds again", shard);
        }
        return 1;
    }

    /** For how long it need not be polled unless it is answered, ns. */
    long restNanos() {
        if (isDone || connection != null) {
            return Stage.LONGEST_REST_NANOS;
        }
        return connecting != null ? Stage.UNTOLD_REST_NANOS : Math.max(0, retryAt - clock.nanoTime());
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
            retryOrFail(ShardErrors.ofLogin(shard, e));
            return 1;
        } finally {
            connecting = null;
        }
        hasConnected = true;
        send(SESSION, ok -> task.run());
        return 1;
    }

    private void lost(TributaryException failure) {
        connection.close();
        connection = null;
        retryOrFail(failure);
    }

    /** Repeats the task after a pause where the shard may come back; one log line until the task is done. */
    private void retryOrFail(TributaryException failure) {
        TributaryException judged = ShardErrors.orElsewhere(failure, config);
        boolean isHeld = hasConnected && judged == failure && failure.code().holdsShard();
        if (!isHeld && !ShardErrors.mayPass(failure, config, isLost)) {
            throw judged;
        }
        retryAt = clock.nanoTime() + pause.next();
        isLost = true;
        if (!isTold) {
            isTold = true;
            LOG.warn("{}; rounds wait for it", failure.getMessage());
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
