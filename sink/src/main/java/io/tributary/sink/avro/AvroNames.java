package io.tributary.sink.avro;

/** Names as Avro allows them: letters, digits and underscores of ASCII, the first one not a digit. */
final class AvroNames {
    private AvroNames() {}

    /** The name with other characters replaced by an underscore, and one in front of a digit. */
    static String of(String name) {
        StringBuilder text = new StringBuilder(name.length() + 1);
        name.codePoints().forEach(c -> text.append(isAllowed(c) ? (char) c : '_'));
        boolean isOpen = text.isEmpty() || Character.isDigit(text.charAt(0));
        return isOpen ? "_" + text : text.toString();
    }

    private static boolean isAllowed(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_';
    }
}
