package io.tributary.dumper;

/**
 * The two ends of the binlog: how far it is durable on this disk, and how far it may be read. The second follows the first at once or,
 * while it is held back, when it is acknowledged. Moves under the list's monitor; any thread may look.
 */
final class MovingEnds {
    private final FileList files;
    private final WaitingEnds waiting = new WaitingEnds();
    private boolean holdsBack;
    private volatile DurableEnd written;
    private volatile DurableEnd readable;

    MovingEnds(FileList files, DurableEnd end) {
        this.files = files;
        this.written = end;
        this.readable = end;
    }

    DurableEnd written() {
        return written;
    }

    DurableEnd readable() {
        return readable;
    }

    void holdBack() {
        synchronized (files) {
            holdsBack = true;
        }
    }

    /** @param gnoBefore number of the newest transaction before the first file */
    void holdBackAll(long gnoBefore) {
        synchronized (files) {
            holdsBack = true;
            files.all().forEach(BinlogFile::hide);
            readable = new DurableEnd(files.first(), 0, gnoBefore, 0);
            waiting.clear();
            waiting.add(written);
        }
    }

    void letThrough() {
        synchronized (files) {
            holdsBack = false;
            waiting.clear();
            show(written);
        }
    }

    /** Whether the readable end has moved. */
    boolean acknowledge(BinlogPlace place) {
        synchronized (files) {
            DurableEnd newest = waiting.takeUpTo(place);
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
            move(new DurableEnd(file, offset, gno, cut));
        }
    }

    void rotate(long finishedEnd, BinlogFile next) {
        synchronized (files) {
            DurableEnd end = written;
            next.hide();
            files.add(next);
            end.file().complete(finishedEnd);
            move(new DurableEnd(next, next.written(), end.gno(), end.cut()));
        }
    }

    /** Goes on with what another recovery of the same folder found, at or behind what is readable. */
    void takeOver(BinlogFiles found) {
        synchronized (files) {
            DurableEnd end = found.writtenEnd();
            files.takeOver(readable.file(), found.written());
            BinlogFile last = files.find(end.file().name()).orElseThrow();
            waiting.clear();
            move(new DurableEnd(last, end.offset(), end.gno(), end.cut()));
        }
    }

    private void move(DurableEnd end) {
        written = end;
        if (holdsBack) {
            waiting.add(end);
        } else {
            show(end);
        }
    }

    private void show(DurableEnd end) {
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
