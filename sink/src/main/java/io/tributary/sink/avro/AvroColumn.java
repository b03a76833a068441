package io.tributary.sink.avro;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeColumn;
import io.tributary.changes.RowImage;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.sink.message.ColumnJson;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the values of a column, with the branch of its union if it allows NULL. For one thread. */
final class AvroColumn {
    private final ChangeColumn column;
    private final int index;
    private final boolean isNullable;
    private final int nullBranch;
    private final int valueBranch;
    private final Writer writer;

    /** Writes a value that is not NULL. */
    private interface Writer {
        void append(AvroOutput out, RowImage image);
    }

    /** @param isNullFirst whether the branch of NULL is the first one of the union */
    AvroColumn(ChangeColumn column, AvroOptions options, boolean isNullFirst) {
        this.column = column;
        this.index = column.index();
        this.isNullable = column.definition().nullable();
        this.nullBranch = isNullFirst ? 0 : 1;
        this.valueBranch = 1 - nullBranch;
        this.writer = writer(column, options);
    }

    /**
     * Appends the value of a row.
     *
     * @throws TributaryException EVENT_MALFORMED for a NULL in a column that does not allow it
     */
    void append(AvroOutput out, RowImage image) {
        if (image.isNull(index)) {
            if (!isNullable) {
                throw new TributaryException(
                        ErrorCode.EVENT_MALFORMED,
                        "column " + column.name() + ": expected a value as it is NOT NULL, found NULL");
            }
            out.integer(nullBranch);
            return;
        }
        if (isNullable) {
            out.integer(valueBranch);
        }
        writer.append(out, image);
    }

    private static Writer writer(ChangeColumn column, AvroOptions options) {
        return switch (column.kind()) {
            case INTEGER -> integer(column, options.unsigned());
            case YEAR -> (out, image) -> out.integer(column.integer(image));
            case FLOAT -> (out, image) -> out.float32(LittleEndian.getInt(image.view(), column.at(image)));
            case DOUBLE -> (out, image) -> out.raw(image.view(), column.at(image), Double.BYTES);
            case DECIMAL -> options.decimals() == AvroOptions.Decimals.STRING ? text(column) : decimal(column);
            case BIT -> (out, image) -> bit(out, column, image);
            case DATE -> (out, image) -> AvroTime.date(out, column, image);
            case TIME -> (out, image) -> AvroTime.time(out, column, image);
            case DATETIME -> (out, image) -> AvroTime.datetime(out, column, image);
            case TIMESTAMP -> (out, image) -> AvroTime.timestamp(out, column, image);
            case ENUM -> labels(column);
            case SET -> (out, image) -> out.sized(column.labels(image).getBytes(StandardCharsets.UTF_8));
            case TEXT -> characters(column);
            case BYTES, GEOMETRY ->
                (out, image) -> out.sized(image.view(), column.at(image), column.length(image), column.padded(image));
            case JSON -> text(column);
            case VECTOR ->
                (out, image) -> out.sized(ColumnJson.vector(column, image).getBytes(StandardCharsets.US_ASCII));
        };
    }

    private static Writer integer(ChangeColumn column, AvroOptions.Unsigned unsigned) {
        boolean isHuge = RecordSchemas.isHuge(column);
        if (isHuge && unsigned == AvroOptions.Unsigned.STRING) {
            return text(column);
        }
        if (isHuge && unsigned == AvroOptions.Unsigned.DECIMAL) {
            return (out, image) -> AvroDecimal.appendUnsigned(out, column.integer(image));
        }
        return (out, image) -> out.integer(column.integer(image));
    }

    private static Writer decimal(ChangeColumn column) {
        AvroDecimal decimal =
                new AvroDecimal(column.type().length(), column.type().decimals());
        return (out, image) -> decimal.append(out, image.view(), column.at(image));
    }

    /** Without zeros in front of it, at least one byte. */
    private static void bit(AvroOutput out, ChangeColumn column, RowImage image) {
        long value = column.integer(image);
        int bits = Long.SIZE - Long.numberOfLeadingZeros(value);
        int length = Math.max(1, (bits + Byte.SIZE - 1) / Byte.SIZE);
        out.integer(length);
        out.big(value, length);
    }

    private static Writer labels(ChangeColumn column) {
        List<byte[]> values = column.type().values().stream()
                .map(value -> value.getBytes(StandardCharsets.UTF_8))
                .toList();
        byte[] none = new byte[0];
        return (out, image) -> {
            long number = column.integer(image);
            out.sized(number > 0 && number <= values.size() ? values.get((int) number - 1) : none);
        };
    }

    private static Writer characters(ChangeColumn column) {
        if (column.isUtf8()) {
            return (out, image) -> {
                int length = column.length(image);
                out.sized(image.view(), column.at(image), length, length);
            };
        }
        return (out, image) -> out.sized(column.characters(image).getBytes(StandardCharsets.UTF_8));
    }

    /** The text that a server shows. */
    private static Writer text(ChangeColumn column) {
        ByteBuf scratch = Unpooled.buffer();
        return (out, image) -> {
            scratch.clear();
            column.appendText(scratch, image);
            out.integer(scratch.writerIndex());
            out.raw(scratch.array(), scratch.arrayOffset(), scratch.writerIndex());
        };
    }
}
