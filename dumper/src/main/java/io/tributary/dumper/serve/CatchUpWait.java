package io.tributary.dumper.serve;

import io.tributary.common.pipeline.Clock;
import io.tributary.dumper.ServedFiles;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.Session;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a reader wait that has read more at another Dumper than this one has copied yet: error 1236, which says that it has what never was,
 * would end it for good. It hears nothing meanwhile, for a heartbeat would have to name a place; so before it takes the silence for a broken
 * network its connection ends without a word, and it comes again.
 */
final class Patience {
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);
    private static final long LONGEST_NANOS =
            TimeUnit.SECONDS.toNanos(10); // replicas bear 60 s of silence as they come
    private static final int LOOK_MILLIS = 50;

    private final ServedFiles files;
    private final Clock clock;

    Patience(ServedFiles files, Clock clock) {
        this.files = files;
        this.clock = clock;
    }

    /** @param dump begins it; run now, or on the sink's loop when all is there that the reader has */
    void begin(Session session, DumpRequest request, EventSink sink, Runnable dump) {
        if (isBehind(request)) {
            LOG.info("reader {} has read more elsewhere than is copied here: it waits", session);
            look(session, request, sink, dump, clock.nanoTime());
        } else {
            dump.run();
        }
    }

    private boolean isBehind(DumpRequest request) {
        return request.gtids().isPresent()
                ? files.isBehind(request.gtids().get())
                : files.isBehind(request.file(), request.position());
    }

    private void look(Session session, DumpRequest request, EventSink sink, Runnable dump, long since) {
        if (!sink.isOpen()) {
            return;
        }
        if (!isBehind(request)) {
            dump.run();
        } else if (clock.nanoTime() - since >= LONGEST_NANOS) {
            LOG.warn("reader {} is disconnected and may try again: what it has read is not copied here yet", session);
            sink.close();
        } else {
            var unused = sink.loop()
                    .schedule(() -> look(session, request, sink, dump, since), LOOK_MILLIS, TimeUnit.MILLISECONDS);
        }
    }
}
