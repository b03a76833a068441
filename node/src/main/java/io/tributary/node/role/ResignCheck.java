package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Stage;
import java.util.function.BooleanSupplier;

/** Looks now and then whether a leader is to resign. Its thread must wait for none that waits for a disk: one that hangs may be the reason. */
final class ResignStage implements Stage {
    private final long epoch;
    private final BooleanSupplier resigns;

    /** @param resigns has it resign where there is a reason, and says so; may block for about a lease then */
    ResignStage(long epoch, BooleanSupplier resigns) {
        this.epoch = epoch;
        this.resigns = resigns;
    }

    @Override
    public String name() {
        return "resign";
    }

    /** @throws TributaryException EPOCH_OVER when it has resigned */
    @Override
    public int doWork() {
        if (resigns.getAsBoolean()) {
            throw new TributaryException(ErrorCode.EPOCH_OVER, "resigns from epoch " + epoch);
        }
        return 0;
    }

    @Override
    public void close() {}
}
