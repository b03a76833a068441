package io.tributary.binlog;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.FileOffset;

/**
 * The two ends of the binlog: up to where it is durable on this disk, and up to where it may be read. The second end follows the first at
 * once or, while it is held back, when it is acknowledged. Both move under the monitor of the file list; any thread may read them.
 */
final class BinlogWatermarks {
    private final FileList files;
    private final UnacknowledgedCuts waiting = new UnacknowledgedCuts();
    private boolean needsAcknowledgement;
    private volatile BinlogPosition written;
    private volatile BinlogPosition readable;

    BinlogWatermarks(FileList files, BinlogPosition end) {
        this.files = files;
        this.written = end;
        this.readable = end;
    }

    BinlogPosition written() {
        return written;
    }

    BinlogPosition readable() {
        return readable;
    }

    void requireAcknowledgement() {
        synchronized (files) {
            needsAcknowledgement = true;
        }
    }

    /** @param gnoBefore number of the newest transaction before the first file */
    void requireAcknowledgementOfAll(long gnoBefore) {
        synchronized (files) {
            needsAcknowledgement = true;
            files.all().forEach(BinlogFile::hide);
            readable = new BinlogPosition(files.first(), 0, gnoBefore, 0);
            waiting.clear();
            waiting.add(written);
        }
    }

    void requireNoAcknowledgement() {
        synchronized (files) {
            needsAcknowledgement = false;
            waiting.clear();
            show(written);
        }
    }

    /** Returns whether the readable end has moved. */
    boolean acknowledge(FileOffset place) {
        synchronized (files) {
            BinlogPosition newest = waiting.removeUpTo(place);
            if (newest != null) {
                show(newest);
            }
            return newest != null;
        }
    }

    void advance(long offset, long gno, long cut) {
        synchronized (files) {
            BinlogFile file = written.file();
            file.write(offset);
            move(new BinlogPosition(file, offset, gno, cut));
        }
    }

    void rotate(long finishedEnd, BinlogFile next) {
        synchronized (files) {
            BinlogPosition end = written;
            next.hide();
            files.add(next);
            end.file().complete(finishedEnd);
            move(new BinlogPosition(next, next.written(), end.gno(), end.cut()));
        }
    }

    /** Continues with what another recovery of the same folder found; its end is not before the readable end. */
    void replaceWith(BinlogFiles found) {
        synchronized (files) {
            BinlogPosition end = found.writtenEnd();
            files.replaceFrom(readable.file(), found.written());
            BinlogFile last = files.find(end.file().name()).orElseThrow();
            waiting.clear();
            move(new BinlogPosition(last, end.offset(), end.gno(), end.cut()));
        }
    }

    private void move(BinlogPosition end) {
        written = end;
        if (needsAcknowledgement) {
            waiting.add(end);
        } else {
            show(end);
        }
    }

    private void show(BinlogPosition end) {
        int number = end.file().number();
        if (readable.file().number() < number) {
            files.all().stream()
                    .filter(file -> file.number() < number && !file.isFinished())
                    .forEach(BinlogFile::showAll);
        }
        end.file().show(end.offset());
        readable = end;
    }
}
