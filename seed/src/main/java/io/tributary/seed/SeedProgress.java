package io.tributary.seed;

import io.tributary.common.value.TableName;
import io.tributary.seed.copy.CopyListener;
import java.util.concurrent.atomic.AtomicLong;

/** Adds up what the workers of a copy report. */
final class SeedProgress implements CopyListener {
    private final SeedListener listener;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong expected = new AtomicLong();

    SeedProgress(SeedListener listener) {
        this.listener = listener;
    }

    @Override
    public void planned(TableName table, long estimatedRows, long estimatedBytes) {
        expected.addAndGet(estimatedRows);
    }

    @Override
    public void copied(TableName table, long moreRows, long moreBytes) {
        listener.copied(rows.addAndGet(moreRows), bytes.addAndGet(moreBytes), expected.get());
    }

    long rows() {
        return rows.get();
    }

    long bytes() {
        return bytes.get();
    }
}
