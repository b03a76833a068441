package io.tributary.common.pipeline;

/**
 * A named edge at which a test may break things: throw, or end the process as a crash would. In production it is {@link #NONE};
 * whoever has edges takes one in its constructor.
 */
@FunctionalInterface
public interface FailPoint {
    /** Nothing ever breaks. */
    FailPoint NONE = point -> {};

    /** @param point the edge's name, such as {@code writer.afterWrite.beforeSync} */
    void hit(String point);
}
