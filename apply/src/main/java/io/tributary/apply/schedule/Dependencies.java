package io.tributary.apply.schedule;

import io.tributary.schema.keys.WriteSets;
import java.util.function.Consumer;

/** Finds the unfinished batches on which a batch depends. For one thread, which gives it all batches in their order. */
public interface Dependencies {
    /**
     * Adds a batch.
     *
     * @param keys of its transactions, all of them known
     * @param dependsOn receives batches on which it depends, some of them several times; some may be finished
     */
    void add(ApplyBatch batch, WriteSets keys, Consumer<ApplyBatch> dependsOn);

    /** All batches so far are finished. */
    void clear();
}
