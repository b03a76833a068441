package io.tributary.serve.dump;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.serve.filter.FillerEvent;
import io.tributary.serve.filter.TransactionFilter.Verdict;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/** An event that is sent in parts, unchanged or, as a filter decides, with another flag or with an empty body. */
final class LargeEvent {
    private final Verdict verdict;
    private final CRC32 crc = new CRC32();
    private long left;
    private boolean begun;

    LargeEvent(long size, Verdict verdict) {
        this.left = size;
        this.verdict = verdict;
    }

    /** Prepares the next part, from 0 on, in the block; returns its length. */
    int next(ByteBuffer block) {
        int length = (int) Math.min(block.limit(), left);
        if (left - length > 0 && left - length < Checksum.LENGTH) {
            length -= Checksum.LENGTH; // the checksum must be in one part
        }
        left -= length;
        if (verdict != Verdict.PASS) {
            change(block, length);
        }
        begun = true;
        return length;
    }

    private void change(ByteBuffer block, int length) {
        int from = 0;
        if (!begun && verdict == Verdict.DROP) {
            FillerEvent.makeIgnorable(block, 0);
            from = EventHeader.LENGTH;
        } else if (!begun) {
            RowsEvent.setFlags(block, 0, RowsEvent.flags(block, 0) | RowsEvent.STMT_END_F);
        }
        if (verdict == Verdict.DROP) {
            for (int i = from; i < length; i++) {
                block.put(i, (byte) 0);
            }
        }
        int end = isSent() ? length - Checksum.LENGTH : length;
        crc.update(block.slice(0, end));
        if (isSent()) {
            LittleEndian.putInt(block, end, (int) crc.getValue());
        }
    }

    boolean isSent() {
        return left == 0;
    }
}
