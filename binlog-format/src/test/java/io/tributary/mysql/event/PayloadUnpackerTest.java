package io.tributary.mysql.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.github.luben.zstd.Zstd;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadUnpackerTest {
    private static final long LIMIT = 1 << 20;

    private final Binlog file = Binlog.golden("golden.000001");
    private final int at = file.nth(EventType.TRANSACTION_PAYLOAD_EVENT, 0);

    @ParameterizedTest
    @ValueSource(ints = {64, 1000, 1 << 18})
    void passesTheEventsOfARealTransactionWithAnyWindow(int windowBytes) {
        try (PayloadUnpacker unpacker = new PayloadUnpacker(windowBytes)) {
            for (int i = 0; i < 3; i++) {
                List<String> types = new ArrayList<>();
                long total = unpacker.unpack(file.view, at, file.end(at), LIMIT, (view, from, end) -> {
                    Events.check(view, from, end);
                    types.add(EventType.name(EventHeader.type(view, from)));
                });
                assertEquals(TransactionPayloadEvent.uncompressedSize(file.view, at), total);
                assertEquals(
                        List.of(
                                "QUERY_EVENT",
                                "ROWS_QUERY_LOG_EVENT",
                                "TABLE_MAP_EVENT",
                                "WRITE_ROWS_EVENT",
                                "ROWS_QUERY_LOG_EVENT",
                                "TABLE_MAP_EVENT",
                                "UPDATE_ROWS_EVENT",
                                "XID_EVENT"),
                        types);
            }
        }
    }

    @Test
    void passesEventsThatAreNotCompressed() {
        ByteBuffer event = Handmade.uncompressedPayload();
        List<Integer> sizes = new ArrayList<>();
        assertEquals(QueryEvent.BEGIN_LENGTH, unpack(event, LIMIT, sizes));
        assertEquals(List.of(QueryEvent.BEGIN_LENGTH), sizes);
    }

    @Test
    void unpacksSeveralFramesOneAfterAnother() {
        byte[] one = Zstd.compress(Handmade.bytes(Handmade.begin()));
        byte[] both = Arrays.copyOf(one, 2 * one.length);
        System.arraycopy(one, 0, both, one.length, one.length);
        ByteBuffer event = Handmade.payload(0, both, 2L * QueryEvent.BEGIN_LENGTH);
        List<Integer> sizes = new ArrayList<>();
        assertEquals(2L * QueryEvent.BEGIN_LENGTH, unpack(event, LIMIT, sizes));
        assertEquals(2, sizes.size());
    }

    @Test
    void rejectsMoreThanTheLimitEvenIfTheSizeIsWrong() {
        byte[] zeros = new byte[1 << 16];
        ByteBuffer large = ByteBuffer.wrap(zeros);
        EventHeader.write(large, 0, new EventOrigin(0, 1), EventType.IGNORABLE_LOG_EVENT, zeros.length);
        ByteBuffer liar = Handmade.payload(0, Zstd.compress(zeros), 10);
        assertEquals(
                ErrorCode.PAYLOAD_TOO_LARGE, refusal(liar, zeros.length - 1).code());
        ByteBuffer honest = Handmade.payload(0, Zstd.compress(zeros), zeros.length);
        assertEquals(
                ErrorCode.PAYLOAD_TOO_LARGE, refusal(honest, zeros.length - 1).code());
        assertEquals(zeros.length, unpack(honest, zeros.length, new ArrayList<>()));
    }

    @Test
    void dropsLargeEventsWithoutMemoryForThem() {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        for (int size : new int[] {255, 256, 257, 700_000, 19, 256 + 19}) {
            ByteBuffer event = ByteBuffer.allocate(size);
            EventHeader.write(event, 0, new EventOrigin(0, 1), EventType.IGNORABLE_LOG_EVENT, size);
            plain.writeBytes(event.array());
        }
        byte[] bytes = plain.toByteArray();
        ByteBuffer whole = Handmade.payload(0, Zstd.compress(bytes), bytes.length);
        byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
        ByteBuffer cutOff = Handmade.payload(0, Zstd.compress(cut), cut.length);
        try (PayloadUnpacker unpacker = new PayloadUnpacker(256)) {
            List<Integer> sizes = new ArrayList<>();
            unpacker.unpackSmall(whole, 0, whole.limit(), (view, from, end) -> sizes.add(end - from));
            assertEquals(List.of(255, 256, 19), sizes);
            TributaryException e = assertThrows(
                    TributaryException.class, () -> unpacker.unpackSmall(cutOff, 0, cutOff.limit(), (v, f, t) -> {}));
            assertEquals(ErrorCode.EVENT_MALFORMED, e.code());
            sizes.clear();
            unpacker.unpack(whole, 0, whole.limit(), LIMIT, (view, from, end) -> sizes.add(end - from));
            assertEquals(List.of(255, 256, 257, 700_000, 19, 275), sizes);
        }
    }

    @Test
    void rejectsBytesThatAreNotEvents() {
        byte[] begin = Handmade.bytes(Handmade.begin());
        byte[] frame = Zstd.compress(begin);
        List<ByteBuffer> bad = List.of(
                Handmade.payload(0, new byte[] {1, 2, 3}, 3),
                Handmade.payload(0, Arrays.copyOf(frame, frame.length - 1), begin.length),
                Handmade.payload(0, new byte[0], 0),
                Handmade.payload(0, frame, begin.length + 1),
                Handmade.payload(0, Zstd.compress(Arrays.copyOf(begin, begin.length - 1)), begin.length - 1),
                Handmade.payload(0, Zstd.compress(new byte[30]), 30),
                Handmade.payload(255, Arrays.copyOf(begin, begin.length - 1), begin.length - 1));
        for (ByteBuffer event : bad) {
            TributaryException refusal = refusal(event, LIMIT);
            assertEquals(ErrorCode.EVENT_MALFORMED, refusal.code());
            assertTrue(refusal.getMessage().contains("expected "), refusal.getMessage());
        }
    }

    private static TributaryException refusal(ByteBuffer event, long limit) {
        TransactionPayloadEvent.check(event, 0, event.limit());
        return assertThrows(TributaryException.class, () -> unpack(event, limit, new ArrayList<>()));
    }

    private static long unpack(ByteBuffer event, long limit, List<Integer> sizes) {
        try (PayloadUnpacker unpacker = new PayloadUnpacker(256)) {
            return unpacker.unpack(event, 0, event.limit(), limit, (view, from, end) -> sizes.add(end - from));
        }
    }
}
