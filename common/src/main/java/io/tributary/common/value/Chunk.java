package io.tributary.common.value;

import java.nio.ByteBuffer;

/**
 * What the collector hands to the dumper: whole output transactions laid out as in the file (formats.md), changes of the journal, and cuts. Every
 * transaction is GTID, QUERY "BEGIN", payload events, XID (a DDL: GTID, QUERY), each event with its header and without
 * checksum, {@code event_size} saying its length so; {@code log_pos} is 0; the GTID event holds gno and the task's
 * running sequence_number and last_committed, and a zero uuid. The dumper fills in what depends on the file. Whoever
 * receives a chunk owns it and releases it once.
 */
public sealed interface Chunk {
    /** Running number of chunks in a stream: the first is 1, then one more each. A gap or a repeat is an error. */
    long number();

    /** Bytes of payload, for bounds and credits; 0 for a cut. */
    long bytes();

    /** Gives the buffer back to whoever made it; exactly once, any thread. */
    void release();

    /**
     * Many whole transactions.
     *
     * @param view direct buffer; the transactions stand from position to limit, one after another
     * @param lengths bytes of each transaction, in order
     * @param events events of each transaction: who places the batch in a file need not fetch its bytes from the core that has
     *     written them
     * @param owner told when the chunk is released
     */
    record Batch(long number, ByteBuffer view, int[] lengths, int[] events, Runnable owner) implements Chunk {
        @Override
        public long bytes() {
            return view.remaining();
        }

        @Override
        public void release() {
            owner.run();
        }
    }

    /**
     * A large transaction begins; {@link Data} follows, then {@link End}, nothing else between them.
     *
     * @param length bytes of the whole transaction, without checksums
     * @param events events of the whole transaction
     */
    record Begin(long number, long length, long events) implements Chunk {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void release() {}
    }

    /**
     * The next bytes of a large transaction. An event may go on in the next chunk, a 19-byte header never does.
     *
     * @param view the bytes from position to limit
     * @param owner told when the chunk is released
     */
    record Data(long number, ByteBuffer view, Runnable owner) implements Chunk {
        @Override
        public long bytes() {
            return view.remaining();
        }

        @Override
        public void release() {
            owner.run();
        }
    }

    /** A large transaction is whole. */
    record End(long number) implements Chunk {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void release() {}
    }

    /** Everything before it is what this cut says; stands between transactions only. */
    record CutMark(long number, Cut cut) implements Chunk {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void release() {}
    }

    /**
     * A change of the journal; explains what follows it, and stands between transactions only. No cut stands between it and the
     * transaction that follows, but for a change that no transaction came with.
     */
    record JournalMark(long number, Journal change) implements Chunk {
        @Override
        public long bytes() {
            return change.bytes();
        }

        @Override
        public void release() {}
    }
}
