package io.tributary.bench.source;

import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/** Copies the beginning of a canned binlog as if another server had written it, for more shards than there are originals. */
final class CannedCopy {
    private static final int BLOCK = 1 << 20;

    private final CannedBinlog original;
    private final UUID uuid;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);

    CannedCopy(CannedBinlog original, UUID uuid) {
        this.original = original;
        this.uuid = uuid;
    }

    /** Writes the head and complete transactions: at least this many bytes, if there are enough. */
    void write(Path file, long bytes) throws IOException {
        try (FileChannel out = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer view = original.view();
            out.write(view.slice(0, original.firstAt()));
            int at = original.firstAt();
            while (at < original.end() && at - original.firstAt() < bytes) {
                int end = blockEnd(at);
                copy(view, at, end);
                out.write(block.limit(end - at));
                block.clear();
                at = end;
            }
        }
    }

    /** The offset after as many complete transactions as fit. */
    private int blockEnd(int from) {
        ByteBuffer view = original.view();
        int end = from;
        for (int at = from; at < original.end() && EventHeader.end(view, at) - from <= BLOCK; ) {
            at = EventHeader.end(view, at);
            if (at == original.end() || EventHeader.type(view, at) == EventType.GTID_LOG_EVENT) {
                end = at;
            }
        }
        return end;
    }

    private void copy(ByteBuffer view, int from, int end) {
        block.put(0, view, from, end - from);
        for (int at = 0; at < end - from; at = EventHeader.end(block, at)) {
            if (EventHeader.type(block, at) == EventType.GTID_LOG_EVENT) {
                GtidEvent.setSid(block, at, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
                checksum.append(block, at);
            }
        }
    }
}
