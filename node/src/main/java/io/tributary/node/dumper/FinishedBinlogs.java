package io.tributary.node.dumper;

import io.tributary.backup.FinishedFile;
import io.tributary.backup.FinishedFiles;
import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.common.gtid.Sid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The finished binlog files for the backup. Prevents purging of those that the backup still needs. */
final class FinishedBinlogs implements FinishedFiles, AutoCloseable {
    private final BinlogFiles files;
    private final Sid sid;
    private final Map<Runnable, Runnable> wakeUps = new ConcurrentHashMap<>();
    private final Map<Integer, Boolean> starts = new ConcurrentHashMap<>(); // finished files do not change
    private BinlogFile held; // null when nothing is
    private boolean isClosed;

    FinishedBinlogs(BinlogFiles files) {
        this.files = files;
        this.sid = new Sid(files.serverUuid());
        keepFrom(files.first().number());
    }

    @Override
    public synchronized void keepFrom(int number) {
        if (isClosed) {
            return;
        }
        BinlogFile before = held;
        held = files.list().stream()
                .filter(file -> file.number() >= number && files.hold(file))
                .findFirst()
                .orElse(null);
        if (before != null) {
            files.release(before);
        }
    }

    @Override
    public List<FinishedFile> list() {
        List<FinishedFile> finished = new ArrayList<>();
        List<BinlogFile> all = files.list();
        for (int i = 0; i + 1 < all.size(); i++) {
            BinlogFile file = all.get(i);
            if (file.isFinished()) {
                long before = file.previousGtids().last(sid);
                long last = all.get(i + 1).previousGtids().last(sid);
                finished.add(new FinishedFile(
                        file.name(),
                        file.path(),
                        file.indexPath(),
                        file.end(),
                        before + 1,
                        last,
                        file.firstMicros(),
                        starts.computeIfAbsent(file.number(), n -> files.startsJournal(file))));
            }
        }
        starts.keySet().removeIf(number -> number < all.get(0).number());
        return finished;
    }

    @Override
    public void subscribe(Runnable listener) {
        AtomicInteger newest = new AtomicInteger();
        Runnable wake = () -> notifyOfNewFile(newest, listener);
        if (wakeUps.putIfAbsent(listener, wake) == null) {
            files.subscribe(wake);
        }
    }

    /** Runs on every batch, but notifies only of a new file: a file is finished when another one follows. */
    private void notifyOfNewFile(AtomicInteger newest, Runnable listener) {
        int current = files.durableEnd().file().number();
        if (newest.getAndSet(current) != current) {
            listener.run();
        }
    }

    @Override
    public void unsubscribe(Runnable listener) {
        Runnable wake = wakeUps.remove(listener);
        if (wake != null) {
            files.unsubscribe(wake);
        }
    }

    /** Releases all files, and holds none from now on. */
    @Override
    public synchronized void close() {
        keepFrom(Integer.MAX_VALUE);
        isClosed = true;
    }
}
