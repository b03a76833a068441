package io.tributary.node.command.log;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.node.command.order.StoredFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;
import java.util.function.LongConsumer;

/** A walk over the selected part of the binlog: files and parts of files in which nothing is selected are not read. For one thread. */
final class LogWalk implements LogReading {
    private static final int WHOLE = 1 << 20; // as large as an event that the walk has in memory

    private final StoredFiles files;
    private final LogSelection selection;
    private final StoredDefinitions definitions;
    private final TransactionChoice choice;
    private final LongConsumer progress;
    private FileChannel channel;
    private BinlogFile current;
    private long position;
    private long done;

    /** @param progress receives the bytes that were read or passed over so far */
    LogWalk(
            StoredFiles files,
            LogSelection selection,
            StoredDefinitions definitions,
            LogHandler handler,
            LongConsumer progress) {
        this.files = files;
        this.selection = selection;
        this.definitions = definitions;
        this.choice = new TransactionChoice(selection, handler, definitions);
        this.progress = progress;
    }

    /** Throws also BINLOG_CORRUPT, IO_FAILED. */
    @Override
    public void run() {
        boolean isPlaced = false; // whether the definitions are those of the next file's beginning
        for (BinlogFile file : files.list()) {
            files.requireRunning();
            long from = choice.isDone() ? -1 : start(file);
            if (from >= 0) {
                try {
                    if (!isPlaced || from > EventHeader.FILE_MAGIC_LENGTH) {
                        definitions.moveTo(file, from);
                    }
                    read(file, from);
                } catch (IOException e) {
                    throw IoErrors.of(file.path(), "read the file", e);
                }
            }
            isPlaced = from >= 0;
            done += file.end();
            progress.accept(done);
        }
    }

    /** The offset of a file from which on something may be selected; -1 for none. */
    private long start(BinlogFile file) {
        BinlogFile next = files.next(file);
        long first = files.before(file) + 1;
        long last = next == null ? Long.MAX_VALUE - 1 : files.before(next);
        boolean isExcluded = first > last || selection.excludes(files.sid(), first, last);
        if (isExcluded || next != null && isTooEarly(next)) {
            return -1;
        }
        List<SparseEntry> entries = files.index(file);
        int place = 0;
        while (place < entries.size() && isBefore(entries, place, first)) {
            place++;
        }
        return place == 0
                ? EventHeader.FILE_MAGIC_LENGTH
                : entries.get(place - 1).offset();
    }

    /** Whether all that is before a file was committed too early. */
    private boolean isTooEarly(BinlogFile next) {
        long micros = files.firstMicros(next);
        return micros != 0 && selection.isBefore(micros);
    }

    private boolean isBefore(List<SparseEntry> entries, int place, long first) {
        SparseEntry entry = entries.get(place);
        boolean isEarly = selection.isBefore(entry.commitMicros());
        return isEarly || selection.excludes(files.sid(), first, entry.gno());
    }

    private void read(BinlogFile file, long from) throws IOException {
        choice.begin();
        current = file;
        position = from;
        try (FileChannel opened = files.open(file)) {
            channel = opened;
            EventScan events = new EventScan(ReadableBytes.of(opened), from, file.end());
            while (!choice.isDone() && events.next()) {
                files.requireRunning();
                position = events.end();
                progress.accept(done + position);
                event(file, events);
            }
            if (events.problem().isPresent() && files.next(file) != null) {
                throw new TributaryException(
                        ErrorCode.BINLOG_CORRUPT,
                        file.path() + ": " + events.problem().get());
            }
        }
    }

    private void event(BinlogFile file, EventScan events) throws IOException {
        if (StoredDefinitions.isChange(events)) {
            definitions.change(events);
            return;
        }
        EventCategory category = EventType.category(events.type());
        if (category == EventCategory.GTID) {
            Gtid gtid = files.gtid(GtidEvent.gno(events.view(), events.viewAt()));
            choice.gtid(events.view(), events.viewAt(), events.viewEnd(), gtid, file.name(), events.at());
        }
        if (choice.wants(category)) {
            pass(events);
        }
    }

    private void pass(EventScan events) throws IOException {
        long length = events.end() - events.at() - Checksum.LENGTH;
        if (length > choice.largestEvent()) {
            choice.unreadable("expected events of at most " + (choice.largestEvent() >> 20) + " MiB, found one of "
                    + (length >> 20) + " MiB");
            return;
        }
        if (length <= WHOLE - Checksum.LENGTH) {
            choice.pass(events.view(), events.viewAt(), (int) length);
            return;
        }
        ByteBuffer whole = ByteBuffer.allocate((int) length);
        while (whole.hasRemaining()) {
            if (channel.read(whole, events.at() + whole.position()) < 0) {
                throw new IOException("expected a whole event at " + events.at() + ", found the end of the file");
            }
        }
        choice.pass(whole, 0, (int) length);
    }

    @Override
    public LogPlace place() {
        return current == null
                ? LogPlace.NONE
                : new LogPlace(current.name(), position, choice.begun(), done + position);
    }
}
