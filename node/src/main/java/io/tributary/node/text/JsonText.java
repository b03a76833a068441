package io.tributary.node.text;

import java.util.Collection;
import java.util.Map;

/** A writer of maps, collections, texts, numbers and booleans as JSON (RFC 8259). */
public final class JsonText {
    private final StringBuilder text = new StringBuilder();

    private JsonText() {}

    /** Formats a value. */
    public static String of(Object value) {
        JsonText json = new JsonText();
        json.add(value);
        return json.text.toString();
    }

    private void add(Object value) {
        if (value instanceof Map<?, ?> map) {
            String before = "{";
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                text.append(before);
                addText(entry.getKey().toString());
                text.append(':');
                add(entry.getValue());
                before = ",";
            }
            text.append(map.isEmpty() ? "{}" : "}");
        } else if (value instanceof Collection<?> items) {
            String before = "[";
            for (Object item : items) {
                text.append(before);
                add(item);
                before = ",";
            }
            text.append(items.isEmpty() ? "[]" : "]");
        } else if (value instanceof Double number) {
            addNumber(number);
        } else if (value instanceof Number || value instanceof Boolean || value == null) {
            text.append(value);
        } else {
            addText(value.toString());
        }
    }

    private void addNumber(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            text.append("null");
        } else if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            text.append((long) number);
        } else {
            text.append(number);
        }
    }

    private void addText(String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            switch (c) {
                case '"' -> text.append("\\\"");
                case '\\' -> text.append("\\\\");
                case '\n' -> text.append("\\n");
                case '\r' -> text.append("\\r");
                case '\t' -> text.append("\\t");
                default -> {
                    if (c < 0x20) {
                        text.append(String.format("\\u%04x", (int) c));
                    } else {
                        text.append(c);
                    }
                }
            }
        }
        text.append('"');
    }
}
