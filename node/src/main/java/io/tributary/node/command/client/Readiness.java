package io.tributary.node.command.client;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import java.net.HttpURLConnection;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Whether a node does its work, from its page {@code /health/ready}, which needs no login. */
public final class Readiness {
    private static final String PAGE = "/health/ready";
    private static final long PAUSE_MILLIS = 200;

    private final AdminClient admin;
    private final Clock clock;

    /** @param admin the client of the node; kept */
    public Readiness(AdminClient admin, Clock clock) {
        this.admin = admin;
        this.clock = clock;
    }

    /**
     * Waits until the node is ready, also while it does not answer yet.
     *
     * @param limit how long
     * @throws TributaryException NODE_UNREACHABLE if the node does not answer at the end of the time, NODE_NOT_READY with its reasons if it answers
     */
    public void await(Duration limit) throws InterruptedException {
        long end = clock.nanoTime() + limit.toNanos();
        while (true) {
            TributaryException reason = reason();
            if (reason == null) {
                return;
            }
            if (clock.nanoTime() - end >= 0) {
                throw reason;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private TributaryException reason() throws InterruptedException {
        try {
            HttpResponse<String> answer = admin.get(PAGE);
            return answer.statusCode() == HttpURLConnection.HTTP_OK
                    ? null
                    : new TributaryException(
                            ErrorCode.NODE_NOT_READY,
                            "expected the node to be ready, found on " + PAGE + ": "
                                    + answer.body().strip());
        } catch (TributaryException e) {
            if (e.code() != ErrorCode.NODE_UNREACHABLE) {
                throw e;
            }
            return e;
        }
    }
}
