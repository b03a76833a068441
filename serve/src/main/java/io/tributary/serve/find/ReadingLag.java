package io.tributary.serve.find;

import io.tributary.binlog.BinlogFiles;
import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.BinlogPosition;
import io.tributary.binlog.file.SparseEntry;
import io.tributary.binlog.file.SparseIndex;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;

/**
 * What lies between a place in the binlog and its readable end.
 *
 * @param bytes of the files of this node
 * @param transactions that are not complete before the place
 * @param commitMicros when the first of these transactions was committed on its shard, µs since 1970; 0: there is none, or it is not known
 */
public record ReadingLag(long bytes, long transactions, long commitMicros) {
    /** At the end. */
    public static final ReadingLag NONE = new ReadingLag(0, 0, 0);

    private static final int WINDOW = 256 << 10;
    private static final int WINDOWS = 8; // the index has one entry for each MiB

    /**
     * Measures from the index and at most 2 MiB of a file; with very large transactions the numbers are those of a place before it.
     *
     * @param offset an event begins there, or the file ends
     * @throws IOException when the file cannot be read, such as because it was purged
     */
    public static ReadingLag of(BinlogFiles files, BinlogFile file, long offset) throws IOException {
        BinlogPosition end = files.durableEnd();
        long bytes = bytes(files, end, file, offset);
        if (bytes == 0) {
            return NONE;
        }
        Walk walk = new Walk(file, offset, file.previousGtids().last(new Sid(files.serverUuid())));
        walk.run();
        Optional<BinlogFile> next = walk.firstMicros == 0 ? files.next(file) : Optional.empty();
        if (next.isPresent()) {
            Walk second = new Walk(next.get(), EventHeader.FILE_MAGIC_LENGTH, walk.complete);
            second.run();
            walk.firstMicros = second.firstMicros;
        }
        long transactions = Math.max(0, end.gno() - walk.complete);
        return new ReadingLag(bytes, transactions, transactions == 0 ? 0 : walk.firstMicros);
    }

    private static long bytes(BinlogFiles files, BinlogPosition end, BinlogFile file, long offset) {
        if (file.number() == end.file().number()) {
            return Math.max(0, end.offset() - offset);
        }
        long bytes = file.number() < end.file().number() ? end.offset() + Math.max(0, file.end() - offset) : 0;
        for (BinlogFile each : files.list()) {
            if (each.number() > file.number() && each.number() < end.file().number()) {
                bytes += each.end();
            }
        }
        return bytes;
    }

    /** A walk over the headers of events, from an entry of the index to the first transaction that is not complete before a place. */
    private static final class Walk {
        private final BinlogFile file;
        private final long place;
        private long at;
        private long gno; // of the transaction that began last
        private long micros;
        private long complete; // number of the newest complete transaction before the place
        private long firstMicros; // of the transaction after it; 0 while not found

        Walk(BinlogFile file, long place, long before) throws IOException {
            this.file = file;
            this.place = place;
            this.complete = before;
            this.gno = before;
            this.at = SparseIndex.offsetBefore(
                    SparseIndex.read(file.indexPath()).stream()
                            .filter(entry -> entry.gno() > 0 && entry.commitMicros() > 0)
                            .toList(),
                    SparseEntry::offset,
                    place);
        }

        void run() throws IOException {
            long end = file.end();
            ByteBuffer window = ByteBuffer.allocate((int) Math.min(WINDOW, Math.max(0, end - at)));
            try (FileChannel channel = file.open()) {
                boolean hasMore = at < end;
                for (int i = 0; i < WINDOWS && hasMore; i++) {
                    window.clear().limit((int) Math.min(WINDOW, end - at));
                    read(channel, window);
                    hasMore = scan(window) && at < end;
                }
            }
            if (at >= end) {
                complete = Math.max(complete, gno); // only cuts follow it
            }
        }

        private void read(FileChannel channel, ByteBuffer window) throws IOException {
            while (window.hasRemaining()) {
                if (channel.read(window, at + window.position()) < 0) {
                    throw new IOException(file.name() + " ends before " + (at + window.limit()));
                }
            }
            window.flip();
        }

        /** Scans the events in a window that begins at the current offset; false when the walk is over. */
        private boolean scan(ByteBuffer window) {
            int next = 0;
            while (window.limit() - next >= EventHeader.LENGTH) {
                long size = Integer.toUnsignedLong(EventHeader.size(window, next));
                int type = EventHeader.type(window, next);
                boolean isWhole = window.limit() - next >= EventHeader.LENGTH + GtidEvent.LENGTH;
                if (size < EventHeader.LENGTH || type == EventType.GTID_LOG_EVENT && !isWhole && next > 0) {
                    break;
                }
                if (!visit(window, next, at + next)) {
                    return false;
                }
                if (size > window.limit() - next) {
                    at += next + size;
                    return true;
                }
                next += (int) size;
            }
            at += next;
            return next > 0;
        }

        /** Visits an event; false when the first incomplete transaction is found. */
        private boolean visit(ByteBuffer view, int index, long offset) {
            boolean isGtid = EventHeader.type(view, index) == EventType.GTID_LOG_EVENT;
            if (isGtid) {
                complete = Math.max(complete, offset <= place ? GtidEvent.gno(view, index) - 1 : gno);
                gno = GtidEvent.gno(view, index);
                micros = GtidEvent.immediateCommitMicros(view, index, index + GtidEvent.LENGTH);
            }
            boolean isInside = offset >= place && (isGtid || isOfTransaction(EventHeader.type(view, index)));
            if (isInside) {
                complete = Math.max(complete, gno - 1);
                firstMicros = micros;
            }
            return !isInside;
        }

        private static boolean isOfTransaction(int type) {
            return type != EventType.IGNORABLE_LOG_EVENT
                    && type != EventType.ROTATE_EVENT
                    && type != EventType.FORMAT_DESCRIPTION_EVENT
                    && type != EventType.PREVIOUS_GTIDS_LOG_EVENT;
        }
    }
}
