package io.tributary.apply.schedule;

import io.netty.util.collection.LongObjectHashMap;
import io.tributary.schema.keys.WriteSets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Dependencies by the keys of rows: for each key the last unfinished batch that changes its row, and the batches after it that need the row and do
 * not change it. Its size is limited by the keys of unfinished batches.
 */
public final class KeyWriters implements Dependencies {
    private final LongObjectHashMap<Users> users = new LongObjectHashMap<>();
    private final Deque<Keys> live = new ArrayDeque<>();

    /** The batches that use a key. */
    private static final class Users {
        private ApplyBatch writer;
        private final List<ApplyBatch> readers = new ArrayList<>(0);
    }

    /** The keys of a batch. */
    private record Keys(ApplyBatch batch, long[] keys) {}

    @Override
    public void add(ApplyBatch batch, WriteSets keys, Consumer<ApplyBatch> dependsOn) {
        forgetFinished();
        long[] all = new long[keys.size()];
        for (int i = 0; i < all.length; i++) {
            long key = keys.key(i);
            all[i] = key & ~WriteSets.FLAGS;
            Users of = users.get(all[i]);
            if (of == null) {
                of = new Users();
                users.put(all[i], of);
            }
            boolean isReader = (key & WriteSets.FLAGS) == WriteSets.SHARED;
            if (of.writer != null && of.writer != batch) {
                dependsOn.accept(of.writer);
            }
            if (isReader) {
                if (of.writer != batch && (of.readers.isEmpty() || of.readers.get(of.readers.size() - 1) != batch)) {
                    of.readers.add(batch);
                }
            } else {
                of.readers.stream().filter(reader -> reader != batch).forEach(dependsOn);
                of.readers.clear();
                of.writer = batch;
            }
        }
        live.add(new Keys(batch, all));
    }

    /** Finished batches leave in the order of their numbers, so that an unfinished one keeps those after it. */
    private void forgetFinished() {
        while (!live.isEmpty() && live.element().batch().isFinished()) {
            Keys finished = live.remove();
            for (long key : finished.keys()) {
                forget(key, finished.batch());
            }
        }
    }

    private void forget(long key, ApplyBatch finished) {
        Users of = users.get(key);
        if (of == null) {
            return;
        }
        if (of.writer == finished) {
            of.writer = null;
        }
        of.readers.remove(finished);
        if (of.writer == null && of.readers.isEmpty()) {
            users.remove(key);
        }
    }

    @Override
    public void clear() {
        users.clear();
        live.clear();
    }

    /** The number of keys that are kept. */
    int size() {
        return users.size();
    }
}
