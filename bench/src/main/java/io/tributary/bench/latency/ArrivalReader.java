package io.tributary.bench.latency;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.nio.ByteBuffer;
import java.util.UUID;

/** A reader that a server sees as a replica: it reports when the transaction of each numbered row was received completely. */
final class ArrivalReader implements AutoCloseable {
    private static final String SCHEMA = "latency";
    private static final int POLL_BYTES = 1 << 20;

    private final Arrivals arrivals;
    private final BinlogStream stream;
    private long tableId = -1;
    private int number = -1;

    /** Receives each transaction with a numbered row. */
    @FunctionalInterface
    interface Arrivals {
        void arrived(int number, long nanos);
    }

    /** @param known the transactions that the server must not send */
    ArrivalReader(MysqlClient client, Endpoint endpoint, GtidSet known, int serverId, Arrivals arrivals) {
        this.arrivals = arrivals;
        BinlogDump dump = BinlogDump.after(known, serverId, new UUID(0, serverId));
        this.stream = client.connect(endpoint)
                .thenCompose(connection -> connection.dump(dump))
                .join();
    }

    /** Processes the received events; returns their number. */
    int poll() {
        int events = stream.poll(this::event, POLL_BYTES);
        if (events == 0 && !stream.isOpen()) {
            throw new IllegalStateException("the stream ended: " + stream.end());
        }
        return events;
    }

    private boolean event(ByteBuffer view, int at, int length) {
        switch (EventHeader.type(view, at)) {
            case EventType.TABLE_MAP_EVENT ->
                tableId = TableMapEvent.schema(view, at).equals(SCHEMA) ? TableMapEvent.tableId(view, at) : -1;
            case EventType.WRITE_ROWS_EVENT -> {
                if (RowsEvent.tableId(view, at) == tableId) {
                    number = LittleEndian.getInt(view, RowsEvent.rowsAt(view, at) + 1); // after a byte of null bits
                }
            }
            case EventType.XID_EVENT -> {
                if (number >= 0) {
                    arrivals.arrived(number, Clock.SYSTEM.nanoTime());
                    number = -1;
                }
            }
            default -> {}
        }
        return true;
    }

    @Override
    public void close() {
        stream.close();
    }
}
