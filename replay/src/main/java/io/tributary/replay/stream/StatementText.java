package io.tributary.replay.stream;

import java.nio.charset.Charset;

/**
 * The text of a statement as a server receives it.
 *
 * @param bytes must not be changed
 * @param charset of the bytes
 */
public record StatementText(byte[] bytes, Charset charset) {
    /** Another text in the same character set. */
    public StatementText with(String other) {
        return new StatementText(other.getBytes(charset), charset);
    }
}
