package io.tributary.node.dumper;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Stage;
import java.util.function.BooleanSupplier;

/** Stage that checks repeatedly whether a leader has to resign. Its thread must not wait for a disk: a hanging disk may be the reason. */
final class ResignCheck implements Stage {
    private final long epoch;
    private final BooleanSupplier resignIfNeeded;

    /** @param resignIfNeeded resigns if there is a reason, and returns whether it did; may block for about one lease then */
    ResignCheck(long epoch, BooleanSupplier resignIfNeeded) {
        this.epoch = epoch;
        this.resignIfNeeded = resignIfNeeded;
    }

    @Override
    public String name() {
        return "resign";
    }

    /** @throws TributaryException EPOCH_OVER when it has resigned */
    @Override
    public int doWork() {
        if (resignIfNeeded.getAsBoolean()) {
            throw new TributaryException(ErrorCode.EPOCH_OVER, "leader of epoch " + epoch + " has resigned");
        }
        return 0;
    }

    @Override
    public void close() {}
}
