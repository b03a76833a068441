package io.tributary.serve;

import io.tributary.binlog.ReadableFiles;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.Session;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a reader wait that has read more from another Dumper than this one has copied. Error 1236, which reports GTIDs that never existed here,
 * would end the reader for good. The reader gets nothing meanwhile, because a heartbeat would need a position. Its connection is closed
 * without an error before it takes the silence for a broken network, and it connects again.
 */
final class CatchUpWait {
    private static final Logger LOG = LoggerFactory.getLogger(CatchUpWait.class);
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(10); // replicas wait for 60 s by default
    private static final int POLL_MILLIS = 50;

    private final ReadableFiles files;
    private final Clock clock;

    CatchUpWait(ReadableFiles files, Clock clock) {
        this.files = files;
        this.clock = clock;
    }

    /**
     * Starts a dump.
     *
     * @param dump starts it; run now, or on the sink's loop when this node has everything that the reader has
     */
    void begin(Session session, DumpRequest request, EventSink sink, Runnable dump) {
        if (isBehind(request)) {
            LOG.info(
                    "reader waits for copying: reader=\"{}\" reason=\"has read more elsewhere than is copied here\"",
                    session);
            poll(session, request, sink, dump, clock.nanoTime());
        } else {
            dump.run();
        }
    }

    private boolean isBehind(DumpRequest request) {
        return request.gtids().isPresent()
                ? files.isBehind(request.gtids().get())
                : files.isBehind(request.file(), request.position());
    }

    private void poll(Session session, DumpRequest request, EventSink sink, Runnable dump, long since) {
        if (!sink.isOpen()) {
            return;
        }
        if (!isBehind(request)) {
            dump.run();
        } else if (clock.nanoTime() - since >= LONGEST_NANOS) {
            LOG.warn("reader disconnected: reader=\"{}\" reason=\"what it has read is not copied here yet\"", session);
            sink.close();
        } else {
            var unused = sink.loop()
                    .schedule(() -> poll(session, request, sink, dump, since), POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
