package io.tributary.sink.open;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads messages as the manual of TiCDC describes open-protocol. */
final class OpenEvents {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private OpenEvents() {}

    /** The key of the only event: after version 1, a length and JSON. */
    static JsonNode key(byte[] message) {
        ByteBuffer view = ByteBuffer.wrap(message);
        if (view.getLong() != 1) {
            throw new IllegalStateException("expected version 1");
        }
        return json(part(view));
    }

    /** The value of the only event; null for a watermark. */
    static JsonNode value(byte[] message) {
        byte[] part = part(ByteBuffer.wrap(message));
        return part.length == 0 ? null : json(part);
    }

    private static byte[] part(ByteBuffer view) {
        byte[] part = new byte[(int) view.getLong()];
        view.get(part);
        if (view.hasRemaining()) {
            throw new IllegalStateException("expected one event, found more");
        }
        return part;
    }

    private static JsonNode json(byte[] text) {
        try {
            return JSON.readTree(new String(text, StandardCharsets.UTF_8));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * The values as the server returns them to {@code TypesTable}; ENUM and SET by their number.
     *
     * @param row an object of columns
     */
    static Map<String, String> texts(JsonNode row, Map<String, String> types) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> column : row.properties()) {
            JsonNode value = column.getValue().get("v");
            int type = column.getValue().get("t").intValue();
            int flags = column.getValue().get("f").intValue();
            texts.put(column.getKey(), value.isNull() ? null : text(value, type, flags, types.get(column.getKey())));
        }
        return texts;
    }

    private static String text(JsonNode value, int type, int flags, String column) {
        boolean isBinary = (flags & 1) != 0;
        return switch (type) {
            case 1, 2, 3, 8, 9, 16, 247, 248 -> require(value.isIntegralNumber(), value.asText());
            case 4, 5 -> require(value.isNumber(), value.asText());
            case 13 -> String.format("%04d", value.intValue());
            case 7, 10, 11, 12, 246 -> require(value.isTextual(), value.asText());
            case 249, 250, 251, 252, 255 -> hex(Base64.getDecoder().decode(value.textValue()));
            case 15, 254 ->
                hex(isBinary ? unquoted(value.textValue()) : value.textValue().getBytes(StandardCharsets.UTF_8));
            case 245 -> hex(value.textValue().getBytes(StandardCharsets.UTF_8));
            case 225 -> value.textValue();
            default -> throw new IllegalStateException("type " + type + " of " + column);
        };
    }

    private static String require(boolean holds, String text) {
        if (!holds) {
            throw new IllegalStateException("not the JSON type of the manual: " + text);
        }
        return text;
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().withUpperCase().formatHex(bytes);
    }

    /** Reads a string literal of Go (The Go Programming Language Specification, "String literals"), without its quotes. */
    private static byte[] unquoted(String text) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.writeBytes(Character.toString(c).getBytes(StandardCharsets.UTF_8));
                continue;
            }
            char kind = text.charAt(++i);
            switch (kind) {
                case 'x' -> {
                    out.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
                    i += 2;
                }
                case '\\', '"' -> out.write(kind);
                default -> throw new IllegalStateException("\\" + kind);
            }
        }
        return out.toByteArray();
    }
}
