package io.tributary.mysql.event;

/**
 * A statement as a QUERY event contains it.
 *
 * @param flags of {@link EventFlags}
 * @param threadId the session's id on the source, 0..2^32-1
 * @param variables status variables in the form of an event, at most 65535 bytes
 * @param schema the default schema, at most 255 bytes, empty = none
 * @param text in the character set that the variables name
 */
public record LoggedStatement(int flags, long threadId, byte[] variables, byte[] schema, byte[] text) {
    public LoggedStatement {
        if (variables.length > 0xffff) {
            throw new IllegalArgumentException("expected at most 65535 bytes of variables, found " + variables.length);
        }
        requireSchema(schema);
    }

    static void requireSchema(byte[] schema) {
        if (schema.length > 255) {
            throw new IllegalArgumentException("expected a schema of at most 255 bytes, found " + schema.length);
        }
    }
}
