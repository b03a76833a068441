package io.tributary.sink.run;

import io.tributary.changes.ChangeTransaction;
import io.tributary.sink.encode.SinkSlot;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * The headers of messages: {@code gtid} of the transaction, {@code row} with the number of the row in it from 0, {@code last} with an empty value on the last
 * message of the transaction, {@code split} with {@code delete} or {@code insert} on the two messages of a split UPDATE, {@code snapshot} with {@code true} on
 * rows of a snapshot. For one thread.
 */
final class MessageHeaders {
    private static final String LAST = "last";
    private static final Header DELETE = new RecordHeader("split", bytes("delete"));
    private static final Header INSERT = new RecordHeader("split", bytes("insert"));

    private static final Header SNAPSHOT = new RecordHeader("snapshot", bytes("true"));

    private final boolean isOn;
    private Header gtid;
    private boolean isSnapshot;

    MessageHeaders(boolean isOn) {
        this.isOn = isOn;
    }

    boolean isOn() {
        return isOn;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    void begin(ChangeTransaction transaction, boolean ofSnapshot) {
        isSnapshot = ofSnapshot;
        gtid = isOn ? new RecordHeader("gtid", bytes(transaction.gtid().toString())) : null;
    }

    /** Those of a row. */
    List<Header> of(long row, int split) {
        if (!isOn) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(4);
        headers.add(gtid);
        headers.add(new RecordHeader("row", bytes(Long.toString(row))));
        if (split == SinkSlot.DELETE_OF_SPLIT) {
            headers.add(DELETE);
        } else if (split == SinkSlot.INSERT_OF_SPLIT) {
            headers.add(INSERT);
        }
        if (isSnapshot) {
            headers.add(SNAPSHOT);
        }
        return headers;
    }

    /** Those of a statement. */
    List<Header> ofStatement() {
        return isOn ? List.of(gtid) : List.of();
    }

    static void last(ProducerRecord<byte[], byte[]> message) {
        message.headers().add(LAST, new byte[0]);
    }
}
