package io.tributary.node.command.log;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.IoErrors;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.changes.ChangeInput;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
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
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;

/** A walk over the selected part of the binlog: files and parts of files in which nothing is selected are not read. For one thread. */
final class LogWalk {
    private static final int WHOLE = 1 << 20; // as large as an event that the walk has in memory

    private final StoredFiles files;
    private final LogSelection selection;
    private final StoredDefinitions definitions;
    private final LogHandler handler;
    private final ChangeInput input;
    private final LongConsumer progress;
    private FileChannel channel;
    private boolean isSelected;
    private boolean isAfter;
    private long done;

    /** @param progress receives the bytes that were read or passed so far */
    LogWalk(
            StoredFiles files,
            LogSelection selection,
            StoredDefinitions definitions,
            LogHandler handler,
            LongConsumer progress) {
        this.files = files;
        this.selection = selection;
        this.definitions = definitions;
        this.handler = handler;
        this.input = new ChangeInput(handler, definitions);
        this.progress = progress;
    }

    /**
     * Reads until the end of the selection, or until there are enough changes.
     *
     * @throws TributaryException READER_REFUSED when the process is to end; BINLOG_CORRUPT, IO_FAILED, and those of the output
     */
    void run() {
        boolean isPlaced = false; // whether the definitions are those of the next file's beginning
        for (BinlogFile file : files.list()) {
            long from = isAfter || handler.hasMore() ? -1 : start(file);
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
        if (first > last || selection.excludes(files.sid(), first, last)) {
            return -1;
        }
        List<SparseEntry> entries = files.index(file);
        int place = 0;
        while (place < entries.size() && isBefore(entries, place, first)) {
            place++;
        }
        boolean isWholeBefore = place == entries.size() && place > 0 && next != null && isTooEarly(next);
        if (isWholeBefore) {
            return -1;
        }
        return place == 0
                ? EventHeader.FILE_MAGIC_LENGTH
                : entries.get(place - 1).offset();
    }

    private boolean isTooEarly(BinlogFile next) {
        List<SparseEntry> entries = files.index(next);
        return !entries.isEmpty() && selection.isBefore(entries.get(0).commitMicros());
    }

    private boolean isBefore(List<SparseEntry> entries, int place, long first) {
        SparseEntry entry = entries.get(place);
        boolean isEarly = selection.isBefore(entry.commitMicros());
        return isEarly || selection.excludes(files.sid(), first, entry.gno());
    }

    private void read(BinlogFile file, long from) throws IOException {
        isSelected = false;
        input.begin(false);
        try (FileChannel opened = file.open()) {
            channel = opened;
            EventScan events = new EventScan(ReadableBytes.of(opened), from, file.end());
            while (!isAfter && !handler.hasMore() && events.next()) {
                files.requireRunning();
                progress.accept(done + events.end());
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
        int type = events.type();
        if (StoredDefinitions.isChange(events)) {
            definitions.change(events);
            return;
        }
        EventCategory category = EventType.category(type);
        if (category == EventCategory.GTID) {
            gtid(file, events);
        }
        boolean isOfTransaction = category != EventCategory.IGNORED
                && category != EventCategory.ROTATE
                && category != EventCategory.FORMAT_DESCRIPTION;
        if (isSelected && isOfTransaction) {
            try {
                pass(events);
            } catch (TributaryException e) {
                unreadable(e);
            }
        }
    }

    private void gtid(BinlogFile file, EventScan events) {
        long gno = GtidEvent.gno(events.view(), events.viewAt());
        long committed = GtidEvent.immediateCommitMicros(events.view(), events.viewAt(), events.viewEnd());
        long micros = committed != 0
                ? committed
                : TimeUnit.SECONDS.toMicros(EventHeader.timestamp(events.view(), events.viewAt()));
        isAfter = selection.isAfter(micros);
        isSelected = !isAfter && selection.has(files.sid(), gno, micros);
        handler.at(file.name(), events.at());
    }

    private void pass(EventScan events) throws IOException {
        long length = events.end() - events.at() - Checksum.LENGTH;
        if (length > handler.largestEvent()) {
            throw new TributaryException(
                    ErrorCode.REPLAY_FAILED,
                    "expected events of at most " + (handler.largestEvent() >> 20) + " MiB, found one of "
                            + (length >> 20) + " MiB");
        }
        if (length <= WHOLE - Checksum.LENGTH) {
            boolean unused = input.event(events.view(), events.viewAt(), (int) length);
            return;
        }
        ByteBuffer whole = ByteBuffer.allocate((int) length);
        while (whole.hasRemaining()) {
            if (channel.read(whole, events.at() + whole.position()) < 0) {
                throw new IOException("expected a whole event at " + events.at() + ", found the end of the file");
            }
        }
        boolean unused = input.event(whole, 0, (int) length);
    }

    /** The rest of the transaction is passed over; the next one is read again. */
    private void unreadable(TributaryException why) throws IOException {
        if (why.code() == ErrorCode.READER_REFUSED) {
            throw why;
        }
        isSelected = false;
        input.begin(false);
        handler.unreadable(why.getMessage());
    }
}
