package io.tributary.binlog.replicate;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.binlog.file.EventScan;
import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.file.ReadableBytes;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.CutCodec;
import io.tributary.mysql.event.EventHeader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** Reads the cuts of binlog files. */
final class CutList {
    private CutList() {}

    /** A cut: the offset of its end, and its epoch. */
    record CutMark(long end, long epoch) {}

    /** All cuts of a file, in their order. */
    static List<CutMark> of(BinlogFile file) throws IOException {
        return from(file, EventHeader.FILE_MAGIC_LENGTH, Integer.MAX_VALUE);
    }

    /**
     * Cuts from an offset on.
     *
     * @param most highest number of cuts; 1: only a cut with an epoch, as the first cut of a new binlog has epoch 0
     */
    private static List<CutMark> from(BinlogFile file, long offset, int most) throws IOException {
        List<CutMark> cuts = new ArrayList<>();
        long end = file.written();
        try (FileChannel channel = file.open()) {
            EventScan events =
                    new EventScan(ReadableBytes.of(channel), Math.max(offset, EventHeader.FILE_MAGIC_LENGTH), end);
            while (cuts.size() < most && events.next()) {
                if (events.isCut()) {
                    long epoch = CutCodec.epoch(events.cut());
                    if (epoch != 0 || most > 1) {
                        cuts.add(new CutMark(events.end(), epoch));
                    }
                }
            }
        }
        return cuts;
    }

    /**
     * Checks the events after a place, up to the first cut: a follower requests bytes again when they arrived damaged, so the leader's own file
     * may be damaged there.
     *
     * @param files oldest first, held
     * @throws TributaryException BINLOG_CORRUPT naming file and offset; STREAM_CONTRADICTION when no event begins at the place
     */
    static void requireValidAfter(List<BinlogFile> files, FileOffset from) throws IOException {
        for (BinlogFile file : files) {
            long offset = file.number() == from.file() ? from.offset() : 0;
            if (file.number() >= from.file() && offset < file.written()) {
                requireValid(file, Math.max(offset, EventHeader.FILE_MAGIC_LENGTH));
                return;
            }
        }
    }

    private static void requireValid(BinlogFile file, long offset) throws IOException {
        try (FileChannel channel = file.open()) {
            EventScan events = new EventScan(ReadableBytes.of(channel), offset, file.written());
            boolean isCut = false;
            while (!isCut && events.next()) {
                isCut = events.isCut();
            }
            if (events.problem().isPresent()) {
                requireBoundary(file, channel, offset);
                throw new TributaryException(
                        ErrorCode.BINLOG_CORRUPT,
                        file.path() + ": " + events.problem().get());
            }
        }
    }

    /** Reads from the head of the file to the place: only if an event begins there, the damage is the file's. */
    private static void requireBoundary(BinlogFile file, FileChannel channel, long offset) throws IOException {
        EventScan events = new EventScan(ReadableBytes.of(channel), EventHeader.FILE_MAGIC_LENGTH, file.written());
        long begin = EventHeader.FILE_MAGIC_LENGTH;
        while (begin < offset && events.next()) {
            begin = events.end();
        }
        if (begin > offset) {
            throw new TributaryException(
                    ErrorCode.STREAM_CONTRADICTION,
                    "expected a place between two events of " + file.name() + ", found " + offset);
        }
    }

    /**
     * The epoch of the first cut after a place that has one; empty when there is none.
     *
     * @param files oldest first
     * @param offset the end of an event in that file, or 0
     */
    static OptionalLong epochAfter(List<BinlogFile> files, int number, long offset) throws IOException {
        for (BinlogFile file : files) {
            if (file.number() >= number) {
                List<CutMark> first = from(file, file.number() == number ? offset : 0, 1);
                if (!first.isEmpty()) {
                    return OptionalLong.of(first.get(0).epoch());
                }
            }
        }
        return OptionalLong.empty();
    }
}
