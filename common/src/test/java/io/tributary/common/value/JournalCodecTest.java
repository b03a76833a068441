package io.tributary.common.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.proto.JournalWire;
import io.tributary.common.value.Journal.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JournalCodecTest {
    private static Journal random(Random random) {
        List<Put> puts = new ArrayList<>();
        List<String> removed = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            byte[] value = new byte[random.nextInt(3) * 200 + random.nextInt(60)];
            if (random.nextBoolean()) {
                random.nextBytes(value);
            }
            puts.add(new Put("d\0shop\0t\u00e4ble\0" + i, value));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            removed.add("m\0\ud83d\ude00" + i);
        }
        long number = 1L + random.nextInt(1000);
        return switch (random.nextInt(3)) {
            case 0 -> Journal.change(number, puts, removed);
            case 1 -> Journal.part(number - 1, puts);
            default -> Journal.end(number - 1);
        };
    }

    private static Journal decode(byte[] bytes) {
        return JournalCodec.decode(ByteBuffer.wrap(bytes));
    }

    @Test
    void aRecordIsReadAsItWasWritten() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            Journal record = random(random);
            byte[] bytes = JournalCodec.encode(record);
            assertEquals(record, decode(bytes), () -> "seed " + seed);
            assertEquals(
                    new JournalCodec.Head(record.number(), record.kind()), JournalCodec.head(ByteBuffer.wrap(bytes)));
        }
    }

    @Test
    void similarEntriesAreCompressedTogetherAndOthersAreNotChanged() {
        byte[] text = new byte[250];
        new Random(2).nextBytes(text);
        List<Put> alike = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            alike.add(new Put("d\0shop\0orders_" + i, text));
        }
        Journal record = Journal.change(1, alike, List.of());
        byte[] bytes = JournalCodec.encode(record);
        assertTrue(bytes.length < 2000, bytes.length + " bytes");
        assertEquals(record, decode(bytes));
        byte[] mixed = new byte[5000];
        new Random(1).nextBytes(mixed);
        Journal noise = Journal.change(1, List.of(new Put("mixed", mixed)), List.of());
        bytes = JournalCodec.encode(noise);
        assertTrue(bytes.length < 5040, bytes.length + " bytes");
        assertEquals(noise, decode(bytes));
    }

    @Test
    void theLargestEntryIsReadAsItWasWritten() {
        Journal record = Journal.change(
                1, List.of(new Put("k".repeat(Journal.LARGEST_KEY), new byte[Journal.LARGEST_VALUE])), List.of());
        assertEquals(record, decode(JournalCodec.encode(record)));
    }

    @Test
    void fieldsOfALaterVersionAreIgnored() throws Exception {
        Journal record = Journal.change(7, List.of(new Put("k", new byte[] {1})), List.of("gone"));
        UnknownFieldSet later = UnknownFieldSet.newBuilder()
                .addField(
                        99,
                        UnknownFieldSet.Field.newBuilder()
                                .addLengthDelimited(ByteString.copyFromUtf8("later"))
                                .build())
                .build();
        byte[] bytes = JournalWire.Journal.parseFrom(JournalCodec.encode(record)).toBuilder()
                .setUnknownFields(later)
                .build()
                .toByteArray();
        assertEquals(record, decode(bytes));
    }

    @Test
    void truncatedOrDamagedBytesAreRefusedWithoutAnotherFailure() {
        Random random = new Random(5);
        byte[] large = new byte[1000];
        Journal record =
                Journal.change(70, List.of(new Put("k", new byte[] {1}), new Put("large", large)), List.of("gone"));
        byte[] bytes = JournalCodec.encode(record);
        for (int length = 0; length < bytes.length; length++) {
            byte[] part = Arrays.copyOf(bytes, length);
            assertEquals(
                    ErrorCode.CUT_UNUSABLE,
                    assertThrows(TributaryException.class, () -> decode(part)).code());
        }
        for (int i = 0; i < 20_000; i++) {
            byte[] damaged = bytes.clone();
            damaged[random.nextInt(bytes.length)] ^= (byte) (1 + random.nextInt(255));
            try {
                decode(damaged);
            } catch (TributaryException e) {
                assertEquals(ErrorCode.CUT_UNUSABLE, e.code());
            }
        }
    }

    @Test
    void aCutContainsTheNumberOfTheLastChangeBeforeItWholeAndAsADelta() {
        Cut first = new Cut(
                1,
                5,
                new Cut.Sources(List.of(), Set.of()),
                new Cut.OutputPoint(10, 0, 0),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
        assertEquals(
                0,
                CutCodec.decodeFull(ByteBuffer.wrap(CutCodec.encodeFull(first))).schemaNumber());
        Cut second = new Cut(
                        1,
                        6,
                        new Cut.Sources(List.of(), Set.of()),
                        new Cut.OutputPoint(11, 0, 0),
                        new Cut.SchemaPoint(SchemaState.NONE, 0))
                .behindChange(1L << 40);
        assertEquals(second, CutCodec.decodeFull(ByteBuffer.wrap(CutCodec.encodeFull(second))));
        assertEquals(second, CutCodec.apply(first, ByteBuffer.wrap(CutCodec.encodeDelta(first, second))));
        assertEquals(1L << 40, second.under(9).schemaNumber());
        assertEquals(
                1L << 40,
                second.deciding(new DdlDecision(DdlDecision.Verb.DONE, "id", "", false))
                        .schemaNumber());
    }
}
