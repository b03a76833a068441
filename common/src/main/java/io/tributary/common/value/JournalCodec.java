package io.tributary.common.value;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.proto.JournalWire;
import io.tributary.common.value.Journal.Kind;
import io.tributary.common.value.Journal.Put;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes records of the journal as bytes (journal.proto; formats.md, "Journal event"). Entries of more than 256 bytes together are compressed
 * if that makes them smaller. Bytes that are not a record throw {@link TributaryException} {@link ErrorCode#CUT_UNUSABLE}, never another exception.
 */
public final class JournalCodec {
    private static final int COMPRESSED_FROM = 257;
    private static final int LEVEL = 3;
    private static final int LEAST_FRAME = 6;
    /** The maximum size of entries: one entry of the largest size, or several of {@link Journal#PART_BYTES} together. */
    private static final int MOST_BYTES = Journal.LARGEST_VALUE + Journal.LARGEST_KEY + 4 * Journal.PART_BYTES;

    private static final byte PLAIN = 0;
    private static final byte ZSTD = 1;

    private JournalCodec() {}

    /** Encodes a record. */
    public static byte[] encode(Journal record) {
        JournalWire.Entries.Builder entries = JournalWire.Entries.newBuilder();
        for (Put put : record.puts()) {
            entries.addPuts(JournalWire.Put.newBuilder()
                    .setKey(key(put.key()))
                    .setValue(UnsafeByteOperations.unsafeWrap(put.value())));
        }
        for (String removed : record.removed()) {
            entries.addRemoved(key(removed));
        }
        return JournalWire.Journal.newBuilder()
                .setNumber(record.number())
                .setKind(kind(record.kind()))
                .setEntries(packed(entries.build().toByteArray()))
                .setWhole(true)
                .build()
                .toByteArray();
    }

    private static ByteString key(String key) {
        return ByteString.copyFrom(key, StandardCharsets.UTF_8);
    }

    private static ByteString packed(byte[] value) {
        if (value.length == 0) {
            return ByteString.EMPTY;
        }
        byte[] packed = value.length < COMPRESSED_FROM ? value : Zstd.compress(value, LEVEL);
        boolean isSmaller = packed.length < value.length;
        byte[] bytes = new byte[1 + (isSmaller ? packed : value).length];
        bytes[0] = isSmaller ? ZSTD : PLAIN;
        System.arraycopy(isSmaller ? packed : value, 0, bytes, 1, bytes.length - 1);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /**
     * The head of a record, for callers that do not need its entries.
     *
     * @param number as {@link Journal#number}
     */
    public record Head(long number, Kind kind) {}

    /**
     * Reads the number and the kind of a record; its entries are not read.
     *
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Head head(ByteBuffer view) {
        JournalWire.Journal wire = parse(view);
        return new Head(wire.getNumber(), kind(wire));
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param view from position to limit, which are not changed
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Journal decode(ByteBuffer view) {
        JournalWire.Journal wire = parse(view);
        try {
            JournalWire.Entries entries = JournalWire.Entries.parseFrom(unpacked(wire.getEntries()));
            List<Put> puts = new ArrayList<>(entries.getPutsCount());
            List<String> removed = new ArrayList<>(entries.getRemovedCount());
            for (JournalWire.Put put : entries.getPutsList()) {
                puts.add(new Put(text(put.getKey()), put.getValue().toByteArray()));
            }
            for (ByteString key : entries.getRemovedList()) {
                removed.add(text(key));
            }
            return new Journal(wire.getNumber(), kind(wire), puts, removed);
        } catch (IllegalArgumentException
                | CharacterCodingException
                | InvalidProtocolBufferException
                | ZstdException e) {
            throw unusable("record " + wire.getNumber() + " of the journal: " + e, e);
        }
    }

    private static JournalWire.Journal parse(ByteBuffer view) {
        JournalWire.Journal wire;
        try {
            wire = JournalWire.Journal.parseFrom(view.duplicate());
        } catch (InvalidProtocolBufferException e) {
            throw unusable(
                    "expected a record of the journal, found " + view.remaining() + " bytes that are not a record: "
                            + e.getMessage(),
                    e);
        }
        if (!wire.getWhole()) {
            throw unusable(
                    "expected a whole record of the journal, found " + view.remaining() + " bytes that are truncated",
                    null);
        }
        return wire;
    }

    private static String text(ByteString key) throws CharacterCodingException {
        return StandardCharsets.UTF_8
                .newDecoder()
                .decode(key.asReadOnlyByteBuffer())
                .toString();
    }

    private static byte[] unpacked(ByteString value) {
        byte[] bytes = value.toByteArray();
        if (bytes.length == 0) {
            return bytes;
        }
        byte form = bytes[0];
        if (form == PLAIN) {
            return Arrays.copyOfRange(bytes, 1, bytes.length);
        }
        if (form != ZSTD) {
            throw new IllegalArgumentException("expected entries that are plain or a zstd frame, found form " + form);
        }
        long size = bytes.length <= LEAST_FRAME ? -1 : Zstd.getFrameContentSize(bytes, 1, bytes.length - 1);
        if (size < 0 || size > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "expected a zstd frame of at most " + MOST_BYTES + " bytes, found one of " + size);
        }
        byte[] unpacked = new byte[(int) size];
        long got = Zstd.decompressByteArray(unpacked, 0, unpacked.length, bytes, 1, bytes.length - 1);
        if (Zstd.isError(got) || got != size) {
            throw new IllegalArgumentException("expected a zstd frame of " + size + " bytes, found "
                    + (Zstd.isError(got) ? Zstd.getErrorName(got) : got + " bytes"));
        }
        return unpacked;
    }

    private static JournalWire.Journal.Kind kind(Kind kind) {
        return switch (kind) {
            case CHANGE -> JournalWire.Journal.Kind.CHANGE;
            case SNAPSHOT_PART -> JournalWire.Journal.Kind.SNAPSHOT_PART;
            case SNAPSHOT_END -> JournalWire.Journal.Kind.SNAPSHOT_END;
        };
    }

    private static Kind kind(JournalWire.Journal wire) {
        return switch (wire.getKind()) {
            case CHANGE -> Kind.CHANGE;
            case SNAPSHOT_PART -> Kind.SNAPSHOT_PART;
            case SNAPSHOT_END -> Kind.SNAPSHOT_END;
            default ->
                throw unusable(
                        "record " + wire.getNumber() + " of the journal: expected a known kind, found "
                                + wire.getKindValue(),
                        null);
        };
    }

    private static TributaryException unusable(String message, Throwable cause) {
        return new TributaryException(ErrorCode.CUT_UNUSABLE, message, cause);
    }
}
