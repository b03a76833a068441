package io.tributary.common.pipeline;

/**
 * A named point at which a test may inject a failure: throw, or end the process as a crash would. In production it is {@link #NONE};
 * a class with such points receives one in its constructor.
 */
@FunctionalInterface
public interface FailPoint {
    /** Never injects a failure. */
    FailPoint NONE = point -> {};

    /** @param point the name of the point, such as {@code writer.afterWrite.beforeSync} */
    void hit(String point);
}
