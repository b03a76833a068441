package io.tributary.mysql.event;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** Events that the golden files do not contain, without checksum. */
final class Handmade {
    private Handmade() {}

    static List<ByteBuffer> all() {
        List<ByteBuffer> events = new ArrayList<>(List.of(
                gtid(),
                taggedGtid(),
                heartbeat(),
                heartbeatV2(),
                ignorable(),
                begin(),
                rowsVersion1(),
                previousGtidsWithTags(),
                uncompressedPayload()));
        events.add(queryWithEveryVariable());
        events.add(sequence(SequenceEvent.COMMIT, 1L << 62));
        events.add(gcn(GcnEvent.FLAG_HAVE_COMMITTED_SEQ | 1, 1L << 62));
        events.add(consensus(EventType.CONSENSUS_LOG_EVENT));
        events.add(consensus(EventType.PREVIOUS_CONSENSUS_INDEX_LOG_EVENT));
        events.add(consensus(EventType.CONSENSUS_CLUSTER_INFO_EVENT));
        events.add(consensus(EventType.CONSENSUS_EMPTY_EVENT));
        return events;
    }

    static ByteBuffer sequence(int kind, long value) {
        ByteBuffer event = ByteBuffer.allocate(SequenceEvent.LENGTH);
        SequenceEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), kind, value);
        return event;
    }

    static ByteBuffer gcn(int flags, long value) {
        ByteBuffer event = ByteBuffer.allocate(GcnEvent.LENGTH);
        GcnEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), flags, value);
        return event;
    }

    static ByteBuffer consensus(int type) {
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 5);
        EventHeader.write(event, 0, new EventOrigin(1_700_000_000, 9), type, EventHeader.LENGTH + 5);
        return event.put(EventHeader.LENGTH, new byte[] {1, 2, 3, 4, 5});
    }

    static ByteBuffer gtid() {
        ByteBuffer event = ByteBuffer.allocate(GtidEvent.LENGTH);
        GtidEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), 1_700_000_000_123_456L, 80031);
        GtidEvent.setFlags(event, 0, GtidEvent.FLAG_MAY_HAVE_SBR);
        GtidEvent.setSid(event, 0, 1, 2);
        GtidEvent.setGno(event, 0, 77);
        return event;
    }

    /** Fields as MySQL 8.3 writes them: an original commit time, no original version, a ticket. */
    static ByteBuffer taggedGtid() {
        ByteBuffer body = ByteBuffer.allocate(200);
        putVarlen(body.position(4), 0);
        putVarlen(body, 1);
        putVarlen(body, 1);
        for (long i = 0; i < 16; i++) {
            putVarlen(body, i * 16);
        }
        putField(body, 2, 1234 << 1);
        putField(body, 3, 6);
        body.put("foobaz".getBytes(StandardCharsets.US_ASCII));
        putField(body, 4, 41 << 1);
        putField(body, 5, 42 << 1);
        putField(body, 6, 1_700_000_000_123_456L);
        putField(body, 7, 1_600_000_000_123_456L);
        putField(body, 8, 210);
        putField(body, 9, 90200);
        putField(body, 11, -1);
        // the head: version 1, the size in two bytes, no required field
        LittleEndian.putU8(body, 0, 1 << 1);
        LittleEndian.putU16(body, 1, body.position() << 2 | 1);
        return event(EventType.GTID_TAGGED_LOG_EVENT, HexFormat.of().formatHex(Text.bytes(body, 0, body.position())));
    }

    private static void putField(ByteBuffer body, int field, long value) {
        putVarlen(body, field);
        putVarlen(body, value);
    }

    static void putVarlen(ByteBuffer buf, long value) {
        int length = Math.min(9, Math.max(1, (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1));
        if (length == 9) {
            buf.put((byte) 0xff);
            LittleEndian.putLong(buf, buf.position(), value);
            buf.position(buf.position() + 8);
            return;
        }
        long raw = value << length | ((1L << (length - 1)) - 1);
        for (int i = 0; i < length; i++) {
            buf.put((byte) (raw >>> 8 * i));
        }
    }

    static ByteBuffer heartbeat() {
        ByteBuffer event = ByteBuffer.allocate(HeartbeatEvent.length("binlog.000041"));
        HeartbeatEvent.write(event, 0, 9, "binlog.000041", 0xfedcba98L);
        return event;
    }

    static ByteBuffer heartbeatV2() {
        ByteBuffer event = ByteBuffer.allocate(HeartbeatEvent.lengthV2("binlog.000041", 1L << 33));
        HeartbeatEvent.writeV2(event, 0, 9, "binlog.000041", 1L << 33);
        return event;
    }

    static ByteBuffer ignorable() {
        ByteBuffer event = ByteBuffer.allocate(IgnorableEvent.length(4));
        IgnorableEvent.writeHeader(event, 0, new EventOrigin(1_700_000_000, 9), 4);
        return event.put(IgnorableEvent.bodyAt(0), "TCUT".getBytes(StandardCharsets.US_ASCII));
    }

    static ByteBuffer begin() {
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.BEGIN_LENGTH);
        QueryEvent.writeBegin(event, 0, new EventOrigin(1_700_000_000, 9), 5);
        return event;
    }

    /** One row of two columns, the second null. */
    static ByteBuffer rowsVersion1() {
        return event(EventType.WRITE_ROWS_EVENT_V1, "7b00000000000100" + "02" + "03" + "02" + "01000000");
    }

    static ByteBuffer previousGtidsWithTags() {
        GtidSet gtids = GtidSet.parse("3820e795-e55a-11f1-8efd-02fc00000001:1-25:tag:7-9");
        ByteBuffer event = ByteBuffer.allocate(PreviousGtidsEvent.length(gtids));
        PreviousGtidsEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), gtids);
        return event;
    }

    static ByteBuffer uncompressedPayload() {
        ByteBuffer inner = begin();
        return payload(TransactionPayloadEvent.COMPRESSION_NONE, bytes(inner), inner.capacity());
    }

    static ByteBuffer payload(int compression, byte[] bytes, long uncompressed) {
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + 40 + bytes.length);
        int to = field(event, EventHeader.LENGTH, 2, compression);
        to = field(event, to, 3, uncompressed);
        to = field(event, to, 1, bytes.length);
        LittleEndian.putU8(event, to, 0);
        event.put(to + 1, bytes);
        int size = to + 1 + bytes.length;
        EventHeader.write(event, 0, new EventOrigin(0, 9), EventType.TRANSACTION_PAYLOAD_EVENT, size);
        return event.limit(size).slice();
    }

    static byte[] bytes(ByteBuffer event) {
        return Text.bytes(event, 0, event.limit());
    }

    private static int field(ByteBuffer buf, int at, int type, long value) {
        LittleEndian.putU8(buf, at, type);
        LittleEndian.putU8(buf, at + 1, PackedInteger.length(value));
        return PackedInteger.put(buf, at + 2, value);
    }

    static ByteBuffer queryWithEveryVariable() {
        String variables = "0000000000" + "010000000000000000" + "020373746400" + "0301000100" + "042d002d002d00"
                + "05065359535445" + "4d" + "0603737464" + "070000" + "082d00" + "090000000000000000" + "0a00000000"
                + "0b02726f046c6f6361" + "0c0261006200" + "0d010203" + "0e0000000000000000" + "0f0000000000000000"
                + "1001" + "110000000000000000" + "12ff00" + "1300" + "1400" + "c80000000000000000"
                + "c90000000000000000" + "0cfe";
        byte[] bytes = HexFormat.of().parseHex(variables);
        byte[] schema = "db".getBytes(StandardCharsets.US_ASCII);
        byte[] text = "XA COMMIT 'a''b',0x6263,4294967295 ONE PHASE;".getBytes(StandardCharsets.US_ASCII);
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(bytes.length, schema.length, text.length));
        QueryEvent.write(event, 0, new EventOrigin(1_700_000_000, 9), new LoggedStatement(0, 5, bytes, schema, text));
        return event;
    }

    static ByteBuffer query(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.length(0, 0, bytes.length));
        QueryEvent.write(event, 0, new EventOrigin(0, 9), new LoggedStatement(0, 5, new byte[0], new byte[0], bytes));
        return event;
    }

    static ByteBuffer event(int type, String body) {
        byte[] bytes = HexFormat.of().parseHex(body);
        ByteBuffer event = ByteBuffer.allocate(EventHeader.LENGTH + bytes.length);
        EventHeader.write(event, 0, new EventOrigin(1_700_000_000, 9), type, event.capacity());
        return event.put(EventHeader.LENGTH, bytes);
    }
}
