package io.tributary.bench.readers;

import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.DumpPosition;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;

/** A reader that parses only event headers. */
final class Reader implements AutoCloseable {
    private static final int POLL_BYTES = 1 << 20;

    private final BinlogStream stream;
    private long gno;

    private Reader(MysqlClient client, Endpoint endpoint, BinlogDump dump) {
        stream = client.connect(endpoint)
                .thenCompose(connection -> connection.dump(dump))
                .join();
    }

    /** A reader from the beginning of a file to the current end. */
    static Reader toTheEnd(MysqlClient client, Endpoint endpoint, String file) {
        return new Reader(
                client,
                endpoint,
                BinlogDump.from(file, DumpPosition.FIRST, 4711, new UUID(4, 711))
                        .withoutWaiting());
    }

    /** A reader of all transactions that are not in these GTIDs, without heartbeats. */
    static Reader after(MysqlClient client, Endpoint endpoint, GtidSet known, int id) {
        return new Reader(
                client, endpoint, BinlogDump.after(known, id, new UUID(5, id)).withHeartbeat(Duration.ZERO));
    }

    /** Processes the received events; returns their number. */
    int poll() {
        return stream.poll(this::event, POLL_BYTES);
    }

    private boolean event(ByteBuffer view, int at, int length) {
        if (EventHeader.type(view, at) == EventType.GTID_LOG_EVENT) {
            gno = GtidEvent.gno(view, at);
        }
        return true;
    }

    /** The number of the newest transaction of which an event was received. */
    long gno() {
        return gno;
    }

    boolean isOpen() {
        return stream.isOpen();
    }

    long bytes() {
        return stream.takenBytes();
    }

    @Override
    public void close() {
        stream.close();
    }
}
