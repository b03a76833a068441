package io.tributary.collector;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import io.tributary.schema.keys.WriteSets;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * One slot of the ring. It contains, in this order: changes of the journal (optional), transactions, a large transaction (optional), and a cut. There
 * is no cut if the data after the slot must not be separated from it. The collector fills it, a worker encodes it, the publisher sends it; the ring
 * hands it from one to the next.
 */
final class Batch {
    private final List<OutputTransaction> transactions = new ArrayList<>();
    private int count;
    private long bytes;
    private OutputTransaction large;
    private Cut cut;
    private List<Journal> changes = List.of();
    private ByteBuffer encoded;
    private int[] lengths;
    private int[] events;
    private final WriteSets writeSets = new WriteSets();

    // ---- the collector

    /** A transaction object to fill in. */
    OutputTransaction next() {
        if (count == transactions.size()) {
            transactions.add(new OutputTransaction());
        }
        return transactions.get(count);
    }

    /** The transaction that {@link #next()} returned is filled in. */
    void added(boolean isLarge) {
        OutputTransaction transaction = transactions.get(count);
        if (isLarge) {
            large = transaction;
        } else {
            count++;
            bytes += TransactionEncoder.length(transaction);
        }
    }

    boolean isEmpty() {
        return count == 0 && large == null;
    }

    boolean isFull(long mostBytes, int mostTransactions) {
        return large != null || bytes >= mostBytes || count >= mostTransactions;
    }

    /** Changes that describe the tables of its transactions; they are written before them. */
    void begin(List<Journal> before) {
        changes = before;
    }

    void end(Cut after) {
        cut = after;
    }

    // ---- the worker

    /** The number of transactions that are encoded together, without the large one. */
    int count() {
        return count;
    }

    OutputTransaction transaction(int index) {
        return transactions.get(index);
    }

    /** Bytes of all of them as they are written to a file, without checksums. */
    long bytes() {
        return bytes;
    }

    /** @param buffer contains the transactions from its position to its limit */
    void encoded(ByteBuffer buffer, int[] theirLengths, int[] theirEvents) {
        encoded = buffer;
        lengths = theirLengths;
        events = theirEvents;
    }

    /** The keys of the transactions that are encoded together, in their order; empty if they are not used. */
    WriteSets writeSets() {
        return writeSets;
    }

    // ---- the publisher

    List<Journal> changes() {
        return changes;
    }

    ByteBuffer encoded() {
        return encoded;
    }

    int[] lengths() {
        return lengths;
    }

    int[] events() {
        return events;
    }

    /** A transaction that is sent in pieces after the others, or null. */
    OutputTransaction large() {
        return large;
    }

    /** The cut after the transactions, or null if there is none. */
    Cut cut() {
        return cut;
    }

    /** The buffer is now owned by the chunk. */
    void handedOver() {
        encoded = null;
        lengths = null;
        events = null;
    }

    /** Returns all payload that it still holds, and empties the slot. */
    void clear() {
        if (large != null) {
            large.release();
            large = null;
        }
        for (int i = 0; i < count; i++) {
            transactions.get(i).release();
        }
        count = 0;
        bytes = 0;
        cut = null;
        changes = List.of();
        writeSets.clear();
        handedOver();
    }
}
