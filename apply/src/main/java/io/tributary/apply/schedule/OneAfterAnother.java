package io.tributary.apply.schedule;

import io.tributary.schema.keys.WriteSets;
import java.util.function.Consumer;

/** Each batch depends on the one before it. */
public final class OneAfterAnother implements Dependencies {
    private ApplyBatch last;

    @Override
    public void add(ApplyBatch batch, WriteSets keys, Consumer<ApplyBatch> dependsOn) {
        if (last != null) {
            dependsOn.accept(last);
        }
        last = batch;
    }

    @Override
    public void clear() {
        last = null;
    }
}
