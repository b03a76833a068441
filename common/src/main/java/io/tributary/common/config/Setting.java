package io.tributary.common.config;

/**
 * One key that somebody set.
 *
 * @param key the key's full name
 * @param text what was written, placeholders as they stand
 * @param line the line of the file, from 1; 0 when it comes from the command line
 */
record Setting(String key, String text, int line) {
    /** The beginning of a message about it. */
    String where() {
        return (line > 0 ? "line " + line : "command line") + ": " + key;
    }
}
