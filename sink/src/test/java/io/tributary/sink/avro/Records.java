package io.tributary.sink.avro;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/** Reads messages in Confluent's envelope by Avro's own generic reader. */
final class Records {
    private Records() {}

    /** The id in the envelope. */
    static int id(byte[] message) {
        ByteBuffer view = ByteBuffer.wrap(message);
        if (view.get(0) != 0) {
            throw new IllegalStateException("expected a byte 0, found " + view.get(0));
        }
        return view.getInt(1);
    }

    /** The record; fails if there are bytes after it. */
    static GenericRecord read(byte[] message, IntFunction<Schema> schemas) {
        return read(message, schemas.apply(id(message)), null);
    }

    /** The record as a reader with another schema reads it. */
    static GenericRecord read(byte[] message, Schema writer, Schema reader) {
        GenericData data = new GenericData();
        data.addLogicalTypeConversion(new Conversions.DecimalConversion());
        try {
            BinaryDecoder in = DecoderFactory.get().binaryDecoder(message, 5, message.length - 5, null);
            GenericRecord record = new GenericDatumReader<GenericRecord>(writer, reader == null ? writer : reader, data)
                    .read(null, in);
            if (!in.isEnd()) {
                throw new IllegalStateException("expected the end after " + record);
            }
            return record;
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The values as the server returns them to {@code TypesTable}.
     *
     * @param types of columns by the names of fields
     */
    static Map<String, String> texts(GenericRecord record, Map<String, String> types) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Schema.Field field : record.getSchema().getFields()) {
            Object value = record.get(field.pos());
            texts.put(field.name(), value == null ? null : text(value, types.getOrDefault(field.name(), "")));
        }
        return texts;
    }

    private static String text(Object value, String type) {
        HexFormat hex = HexFormat.of().withUpperCase();
        if (value instanceof ByteBuffer bytes) {
            byte[] copy = new byte[bytes.remaining()];
            bytes.duplicate().get(copy);
            return type.equals("bit") ? new java.math.BigInteger(1, copy).toString() : hex.formatHex(copy);
        }
        if (value instanceof BigDecimal decimal) {
            return decimal.toPlainString();
        }
        if (value instanceof CharSequence text && isHex(type)) {
            return hex.formatHex(text.toString().getBytes(StandardCharsets.UTF_8));
        }
        if (value instanceof CharSequence text && type.equals("vector")) {
            return vector(text.toString());
        }
        if (type.equals("year")) {
            return String.format("%04d", (Integer) value);
        }
        return value.toString();
    }

    private static boolean isHex(String type) {
        return switch (type) {
            case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "json", "enum", "set" -> true;
            default -> false;
        };
    }

    private static String vector(String text) {
        List<String> numbers = List.of(text.substring(1, text.length() - 1).split(",", -1));
        ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.size()).order(java.nio.ByteOrder.LITTLE_ENDIAN);
        for (String number : numbers) {
            bytes.putFloat(Float.parseFloat(number));
        }
        return HexFormat.of().withUpperCase().formatHex(bytes.array());
    }
}
