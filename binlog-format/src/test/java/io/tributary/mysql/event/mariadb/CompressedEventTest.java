package io.tributary.mysql.event.mariadb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.junit.jupiter.api.Test;

/** MariaDB's compressed events, created as binlog_buf_compress creates them. */
class CompressedEventTest {
    private static final long LIMIT = 1 << 20;
    private static final int KEPT = 256;

    /** Compresses the plain event from an offset on. */
    private static ByteBuffer compress(ByteBuffer plain, int from, int type) {
        byte[] all = bytes(plain);
        byte[] part = Arrays.copyOfRange(all, from, all.length);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(all, 0, from);
        out.write(0x82);
        out.write(part.length >> 8);
        out.write(part.length);
        Deflater deflater = new Deflater();
        try (DeflaterOutputStream zlib = new DeflaterOutputStream(out, deflater)) {
            zlib.write(part);
        } catch (java.io.IOException e) {
            throw new AssertionError(e);
        } finally {
            deflater.end();
        }
        ByteBuffer event = ByteBuffer.wrap(out.toByteArray());
        EventHeader.setType(event, 0, type);
        EventHeader.setSize(event, 0, event.limit());
        return event;
    }

    private static byte[] bytes(ByteBuffer event) {
        byte[] bytes = new byte[event.limit()];
        event.get(0, bytes);
        return bytes;
    }

    private static ByteBuffer query(int length) {
        byte[] text = "ALTER TABLE t COMMENT 'x'".repeat(length / 25).getBytes(StandardCharsets.US_ASCII);
        ByteBuffer plain = ByteBuffer.allocate(QueryEvent.length(0, 1, text.length));
        QueryEvent.write(
                plain, 0, new EventOrigin(1, 2), new LoggedStatement(0, 3, new byte[0], new byte[] {'d'}, text));
        return plain;
    }

    private static ByteBuffer rows(int type, boolean isUpdate, boolean hasExtra) {
        ByteBuffer plain = ByteBuffer.allocate(400);
        EventHeader.write(plain, 0, new EventOrigin(1, 2), type, plain.limit());
        int at = EventHeader.LENGTH + 8;
        if (hasExtra) {
            LittleEndian.putU16(plain, at, 2);
            at += 2;
        }
        plain.put(at, (byte) 9).putShort(at + 1, (short) -1);
        if (isUpdate) {
            plain.putShort(at + 3, (short) -1);
        }
        return plain;
    }

    private static ByteBuffer unpack(ByteBuffer event, long limit) {
        try (CompressedEvent compressed = new CompressedEvent(KEPT)) {
            return compressed.unpack(event, 0, event.limit(), limit);
        }
    }

    private static TributaryException refused(ByteBuffer event, long limit) {
        return assertThrows(TributaryException.class, () -> unpack(event, limit));
    }

    @Test
    void aQueryIsUnpackedUnchanged() {
        for (int length : new int[] {25, KEPT, 50_000}) {
            ByteBuffer plain = query(length);
            assertEquals(plain, unpack(compress(plain, QueryEvent.textAt(plain, 0), 165), LIMIT));
        }
    }

    @Test
    void rowsOfBothVersionsAreUnpackedUnchanged() {
        for (int i = 0; i < 3; i++) {
            ByteBuffer first = rows(EventType.WRITE_ROWS_EVENT_V1 + i, i == 1, false);
            assertEquals(first, unpack(compress(first, RowsEvent.rowsAt(first, 0), 166 + i), LIMIT));
            ByteBuffer second = rows(EventType.WRITE_ROWS_EVENT + i, i == 1, true);
            assertEquals(second, unpack(compress(second, RowsEvent.rowsAt(second, 0), 169 + i), LIMIT));
        }
    }

    @Test
    void oneInstanceUnpacksLargeAndSmallInTurn() {
        try (CompressedEvent compressed = new CompressedEvent(KEPT)) {
            for (int length : new int[] {5000, 25, 10_000, 250, 25}) {
                ByteBuffer plain = query(length);
                ByteBuffer event = compress(plain, QueryEvent.textAt(plain, 0), 165);
                assertEquals(plain, compressed.unpack(event, 0, event.limit(), LIMIT));
            }
        }
    }

    @Test
    void isRefusedAboveTheLimitBeforeItUsesMemory() {
        ByteBuffer plain = query(5000);
        TributaryException e = refused(compress(plain, QueryEvent.textAt(plain, 0), 165), 5000);
        assertEquals(ErrorCode.PAYLOAD_TOO_LARGE, e.code());
        assertTrue(e.getMessage().contains("at most 5000 bytes"), e.getMessage());
    }

    @Test
    void refusesTruncatedDamagedAndWrongLengths() {
        ByteBuffer plain = query(5000);
        int from = QueryEvent.textAt(plain, 0);
        ByteBuffer event = compress(plain, from, 165);
        for (int end = from; end < event.limit(); end++) {
            ByteBuffer cut = ByteBuffer.wrap(Arrays.copyOf(bytes(event), end));
            assertEquals(ErrorCode.EVENT_MALFORMED, refused(cut, LIMIT).code(), "cut at " + end);
        }
        for (int delta : new int[] {-1, 1}) {
            ByteBuffer other = ByteBuffer.wrap(bytes(event));
            other.put(from + 2, (byte) (other.get(from + 2) + delta));
            assertEquals(ErrorCode.EVENT_MALFORMED, refused(other, LIMIT).code());
        }
        ByteBuffer unknown = ByteBuffer.wrap(bytes(event)).put(from, (byte) 0x92);
        assertTrue(refused(unknown, LIMIT).getMessage().contains("found 0x92"));
        ByteBuffer garbled = ByteBuffer.wrap(bytes(event)).put(from + 8, (byte) 0x55);
        assertEquals(ErrorCode.EVENT_MALFORMED, refused(garbled, LIMIT).code());
    }
}
