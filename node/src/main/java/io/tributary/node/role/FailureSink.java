package io.tributary.node.role;

import io.tributary.common.error.TributaryException;

/** Where a pipeline tells its end. */
interface FailureSink {
    /** At most once, from any thread; returns at once. */
    void failed(TributaryException failure);
}
