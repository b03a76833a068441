package io.tributary.common.config;

/**
 * One key that is set in the file or on the command line.
 *
 * @param key the key's full name
 * @param text its value as written, with placeholders
 * @param line the line of the file, from 1; 0 for the command line
 */
record Setting(String key, String text, int line) {
    /** The beginning of a message about it: its location and key. */
    String where() {
        return (line > 0 ? "line " + line : "command line") + ": " + key;
    }
}
