package io.tributary.binlog.write;

import io.tributary.common.error.TributaryException;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Chunk;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.zip.CRC32;

/**
 * Copies events and fills in what depends on the file: size with checksum, log_pos, server id, checksum, and in the GTID event the UUID,
 * the transaction length and the logical clock, counted from the file's beginning (ordering.md, "Parallel replay"). Keeps the state of a
 * large transaction from part to part. For one thread.
 */
final class TransactionPatch {
    private final UUID uuid;
    private final long serverId;
    private final Checksum checksum = new Checksum();
    private final CRC32 crc = new CRC32();

    /** Bytes of a large transaction's current event that have not been received yet. */
    private long eventLeft;

    TransactionPatch(UUID uuid, long serverId) {
        this.uuid = uuid;
        this.serverId = serverId;
    }

    /** Fills a block from a batch with valid lengths; refuses a batch whose events are not those that it declares. */
    void batch(Chunk.Batch batch, Block block) {
        ByteBuffer view = batch.view();
        ByteBuffer out = block.out;
        int from = view.position();
        int to = 0;
        long gno = block.gno;
        for (int i = 0; i < batch.lengths().length; i++) {
            int length = batch.lengths()[i];
            int end = from + length;
            int gtidAt = to;
            int events = 0;
            while (from < end) {
                int size = end - from < EventHeader.LENGTH ? 0 : EventHeader.size(view, from);
                if (size < EventHeader.LENGTH || size > end - from || events == batch.events()[i]) {
                    throw mismatch(batch, i, events, size, end - from);
                }
                out.put(to, view, from, size);
                setHeader(out, to, size, block.offset + to);
                if (events++ > 0) {
                    checksum.append(out, to);
                }
                from += size;
                to += size + Checksum.LENGTH;
            }
            if (events != batch.events()[i]) {
                throw mismatch(batch, i, events, 0, 0);
            }
            setGtid(batch, block, gtidAt, gno++, length + (long) Checksum.LENGTH * events);
            checksum.append(out, gtidAt);
        }
    }

    private static TributaryException mismatch(Chunk.Batch batch, int transaction, int events, int size, int left) {
        return ChunkValidator.contradiction(
                batch,
                "transaction " + (transaction + 1) + " of the batch with " + batch.events()[transaction] + " events",
                events + (left == 0 ? "" : ", then one of " + size + " bytes where " + left + " are left"));
    }

    /** Fills a block from the next part of a large transaction. Keeps the checksum of an event that continues in the next part. */
    void part(Chunk.Data part, Block block) {
        ByteBuffer view = part.view();
        ByteBuffer out = block.out;
        ByteBuffer range = out.duplicate();
        int from = view.position();
        int to = 0;
        if (block.begin != null) {
            eventLeft = 0;
        }
        while (from < view.limit()) {
            boolean begins = eventLeft == 0;
            eventLeft = begins ? EventHeader.unsignedSize(view, from) : eventLeft;
            int step = (int) Math.min(eventLeft, view.limit() - from);
            out.put(to, view, from, step);
            if (begins) {
                crc.reset();
                setHeader(out, to, eventLeft, block.offset + to);
            }
            if (to == 0 && block.begin != null) {
                long length = block.begin.length() + Checksum.LENGTH * block.begin.events();
                setGtid(part, block, 0, block.gno, length);
            }
            crc.update(range.clear().limit(to + step).position(to));
            from += step;
            to += step;
            eventLeft -= step;
            if (eventLeft == 0) {
                LittleEndian.putInt(out, to, (int) crc.getValue());
                to += Checksum.LENGTH;
            }
        }
    }

    private void setHeader(ByteBuffer out, int at, long size, long offset) {
        long whole = size + Checksum.LENGTH;
        EventHeader.setServerId(out, at, serverId);
        EventHeader.setSize(out, at, (int) whole);
        EventHeader.setLogPos(out, at, offset + whole);
    }

    private void setGtid(Chunk chunk, Block block, int at, long gno, long transactionLength) {
        ByteBuffer out = block.out;
        int end = at + GtidEvent.LENGTH;
        if (end > out.limit()
                || EventHeader.type(out, at) != EventType.GTID_LOG_EVENT
                || EventHeader.size(out, at) != GtidEvent.LENGTH + Checksum.LENGTH) {
            throw ChunkValidator.contradiction(
                    chunk,
                    "transaction " + gno + " that begins with a GTID event of " + GtidEvent.LENGTH + " bytes",
                    EventType.name(EventHeader.type(out, at)) + " of " + (EventHeader.size(out, at) - Checksum.LENGTH));
        }
        if (GtidEvent.gno(out, at) != gno) {
            throw ChunkValidator.contradiction(chunk, "transaction " + gno, "transaction " + GtidEvent.gno(out, at));
        }
        long taskSequence = GtidEvent.sequenceNumber(out, at, end);
        long taskLast = GtidEvent.lastCommitted(out, at, end);
        if (taskLast < 0 || taskLast >= taskSequence) {
            throw ChunkValidator.contradiction(
                    chunk,
                    "transaction " + gno + " that depends on an earlier one",
                    "last_committed " + taskLast + ", sequence_number " + taskSequence);
        }
        long sequence = gno - block.gnoBefore;
        long last = sequence == 1 ? 0 : Math.max(1, taskLast - (taskSequence - sequence));
        GtidEvent.setSid(out, at, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        GtidEvent.setLogicalClock(out, at, last, sequence);
        GtidEvent.setTransactionLength(out, at, transactionLength);
    }
}
