package io.tributary.seed;

import io.tributary.common.value.TableName;
import io.tributary.seed.copy.CopyListener;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Adds up what the workers of a copy report. */
final class SeedProgress implements CopyListener {
    private final SeedListener listener;
    private final AtomicLong rows = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong expected = new AtomicLong();
    private final Set<TableName> finished = ConcurrentHashMap.newKeySet();

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

    @Override
    public void finished(TableName table) {
        finished.add(table);
    }

    /** The tables of which all members are copied. */
    Set<TableName> finished() {
        return Set.copyOf(finished);
    }

    long rows() {
        return rows.get();
    }

    long bytes() {
        return bytes.get();
    }
}
