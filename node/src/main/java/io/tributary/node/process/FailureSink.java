package io.tributary.node.process;

import io.tributary.common.error.TributaryException;

/** Receives the failure that ends a pipeline. */
public interface FailureSink {
    /** Called at most once, from any thread; does not block. */
    void failed(TributaryException failure);
}
