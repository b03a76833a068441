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
 * Records of the journal as bytes (journal.proto; formats.md, "Journal event"). Values of more than 256 bytes are compressed where that
 * makes them smaller. Bytes that are no record are a {@link TributaryException} {@link ErrorCode#CUT_UNUSABLE}, never another exception.
 */
public final class JournalCodec {
    private static final int COMPRESSED_FROM = 257;
    private static final int LEVEL = 3;
    private static final int LEAST_FRAME = 6;
    private static final byte PLAIN = 0;
    private static final byte ZSTD = 1;

    private JournalCodec() {}

    /** The record. */
    public static byte[] encode(Journal record) {
        JournalWire.Journal.Builder wire = JournalWire.Journal.newBuilder()
                .setNumber(record.number())
                .setKind(kind(record.kind()))
                .setWhole(true);
        for (Put put : record.puts()) {
            wire.addPuts(JournalWire.Put.newBuilder().setKey(key(put.key())).setValue(value(put.value())));
        }
        for (String removed : record.removed()) {
            wire.addRemoved(key(removed));
        }
        return wire.build().toByteArray();
    }

    private static ByteString key(String key) {
        return ByteString.copyFrom(key, StandardCharsets.UTF_8);
    }

    private static ByteString value(byte[] value) {
        byte[] packed = value.length < COMPRESSED_FROM ? value : Zstd.compress(value, LEVEL);
        boolean isSmaller = packed.length < value.length;
        byte[] bytes = new byte[1 + (isSmaller ? packed : value).length];
        bytes[0] = isSmaller ? ZSTD : PLAIN;
        System.arraycopy(isSmaller ? packed : value, 0, bytes, 1, bytes.length - 1);
        return UnsafeByteOperations.unsafeWrap(bytes);
    }

    /**
     * What a record says of itself, for who does not need its entries.
     *
     * @param number as {@link Journal#number}
     */
    public record Head(long number, Kind kind) {}

    /**
     * The number and the kind of a record; its values are not looked into.
     *
     * @param view from position to limit, which stay as they are
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Head head(ByteBuffer view) {
        JournalWire.Journal wire = parse(view);
        return new Head(wire.getNumber(), kind(wire));
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @param view from position to limit, which stay as they are
     * @throws TributaryException CUT_UNUSABLE
     */
    public static Journal decode(ByteBuffer view) {
        JournalWire.Journal wire = parse(view);
        List<Put> puts = new ArrayList<>(wire.getPutsCount());
        List<String> removed = new ArrayList<>(wire.getRemovedCount());
        try {
            for (JournalWire.Put put : wire.getPutsList()) {
                puts.add(new Put(text(put.getKey()), unpacked(put.getValue())));
            }
            for (ByteString key : wire.getRemovedList()) {
                removed.add(text(key));
            }
            return new Journal(wire.getNumber(), kind(wire), puts, removed);
        } catch (IllegalArgumentException | CharacterCodingException | ZstdException e) {
            throw unusable("record " + wire.getNumber() + " of the journal: " + e, e);
        }
    }

    private static JournalWire.Journal parse(ByteBuffer view) {
        JournalWire.Journal wire;
        try {
            wire = JournalWire.Journal.parseFrom(view.duplicate());
        } catch (InvalidProtocolBufferException e) {
            throw unusable(
                    "expected a record of the journal, found " + view.remaining() + " bytes that are none: "
                            + e.getMessage(),
                    e);
        }
        if (!wire.getWhole()) {
            throw unusable(
                    "expected a whole record of the journal, found " + view.remaining() + " bytes that were cut short",
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
        byte form = bytes.length == 0 ? -1 : bytes[0];
        if (form == PLAIN) {
            return Arrays.copyOfRange(bytes, 1, bytes.length);
        }
        if (form != ZSTD) {
            throw new IllegalArgumentException("expected a value that is plain or a zstd frame, found form " + form);
        }
        long size = bytes.length <= LEAST_FRAME ? -1 : Zstd.getFrameContentSize(bytes, 1, bytes.length - 1);
        if (size < 0 || size > Journal.LARGEST_VALUE) {
            throw new IllegalArgumentException(
                    "expected a zstd frame of at most " + Journal.LARGEST_VALUE + " bytes, found one of " + size);
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
                        "record " + wire.getNumber() + " of the journal: expected a kind that is known, found "
                                + wire.getKindValue(),
                        null);
        };
    }

    private static TributaryException unusable(String message, Throwable cause) {
        return new TributaryException(ErrorCode.CUT_UNUSABLE, message, cause);
    }
}
