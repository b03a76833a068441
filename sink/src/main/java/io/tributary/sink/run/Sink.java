package io.tributary.sink.run;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.sink.SinkFigures;
import io.tributary.sink.SinkPlan;
import io.tributary.sink.SinkPosition;
import java.util.concurrent.ExecutorService;

/**
 * Sends the stream of a node, or of a MySQL server, to Kafka. A run ends with its first error; the next one resumes after the place in the topic of
 * progress. One run at a time.
 */
public final class Sink {
    private final MysqlClient client;
    private final SinkPlan plan;
    private final Clock clock;
    private final SinkFigures figures = new SinkFigures();

    public Sink(MysqlClient client, SinkPlan plan, Clock clock) {
        this.client = client;
        this.plan = plan;
        this.clock = clock;
    }

    /** What all runs have done. */
    public SinkFigures figures() {
        return figures;
    }

    /** How far the current run is, or the last one; {@link SinkPosition#NONE} before the first one. Any thread. */
    public SinkPosition position() {
        return SinkPosition.NONE;
    }

    /**
     * Sends transactions until an error or an interrupt.
     *
     * @param node a MySQL port from which the stream is read
     * @param threads in which messages are encoded and sent; it must have a free thread for each worker, and two more
     * @throws io.tributary.common.error.TributaryException NODE_UNREACHABLE, READER_REFUSED, REPLAY_FAILED, or a code that begins with SINK_
     * @throws java.util.concurrent.CancellationException after an interrupt
     */
    public void run(Peer node, ExecutorService threads) {
        throw new UnsupportedOperationException(client + " " + plan + " " + clock + " " + node + " " + threads);
    }
}
