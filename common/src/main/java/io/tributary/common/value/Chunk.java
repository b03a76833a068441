package io.tributary.common.value;

import java.nio.ByteBuffer;

/**
 * A unit of output from the collector to the writer: whole output transactions encoded as in the file (formats.md), changes of the journal, and
 * cuts. Every transaction is GTID, QUERY "BEGIN", payload events, XID (a DDL: GTID, QUERY), each event with its header and without
 * checksum, and {@code event_size} without the checksum; {@code log_pos} is 0; the GTID event contains gno and the task's
 * running sequence_number and last_committed, and a zero uuid. The Dumper fills in what depends on the file. The receiver
 * of a chunk owns it and releases it once.
 */
public sealed interface Chunk {
    /** Running number of chunks in a stream: 1 for the first, then one more each. A gap or a repeat is an error. */
    long number();

    /** Bytes of payload, for limits and credits; 0 for a cut. */
    long bytes();

    /** Returns the buffer to its creator; exactly once, any thread. */
    void release();

    /**
     * Many whole transactions.
     *
     * @param view direct buffer; the transactions are stored from position to limit, one after another
     * @param lengths bytes of each transaction, in order
     * @param events events of each transaction: the code that places the batch in a file need not load its bytes from the core that
     *     wrote them
     * @param owner called when the chunk is released
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
     * The next bytes of a large transaction. An event may continue in the next chunk, a 19-byte header never does.
     *
     * @param view the bytes from position to limit
     * @param owner called when the chunk is released
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

    /** The end of a large transaction. */
    record End(long number) implements Chunk {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void release() {}
    }

    /** A cut, which describes the state before it; only between transactions. */
    record CutMark(long number, Cut cut) implements Chunk {
        @Override
        public long bytes() {
            return 0;
        }

        @Override
        public void release() {}
    }

    /**
     * A change of the journal; it describes what follows it, and is only between transactions. No cut is between it and the
     * transaction that follows, except for a change without a transaction.
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
