package io.tributary.collector;

import io.tributary.common.value.Cut;
import io.tributary.common.value.Journal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A place in the ring: perhaps changes of the journal, then some transactions, then perhaps a large one, then a cut, unless what
 * follows may not be cut off. Written by the collector, laid out by a
 * worker, sent by the publisher; the ring hands it from one to the next.
 */
final class Slot {
    private final List<OutputTransaction> transactions = new ArrayList<>();
    private int count;
    private long bytes;
    private OutputTransaction large;
    private Cut cut;
    private List<Journal> changes = List.of();
    private ByteBuffer laidOut;
    private int[] lengths;
    private int[] events;

    // ---- the collector

    /** A transaction object to fill in. */
    OutputTransaction next() {
        if (count == transactions.size()) {
            transactions.add(new OutputTransaction());
        }
        return transactions.get(count);
    }

    /** The one that {@link #next()} gave is filled in. */
    void added(boolean isLarge) {
        OutputTransaction transaction = transactions.get(count);
        if (isLarge) {
            large = transaction;
        } else {
            count++;
            bytes += TransactionLayout.length(transaction);
        }
    }

    boolean isEmpty() {
        return count == 0 && large == null;
    }

    boolean isFull(long mostBytes, int mostTransactions) {
        return large != null || bytes >= mostBytes || count >= mostTransactions;
    }

    /** Changes that explain its transactions, and stand in front of them. */
    void begin(List<Journal> before) {
        changes = before;
    }

    void end(Cut behind) {
        cut = behind;
    }

    // ---- the worker

    /** Transactions that are laid out together, without the large one. */
    int count() {
        return count;
    }

    OutputTransaction transaction(int index) {
        return transactions.get(index);
    }

    /** Bytes of all of them as they stand in a file, without checksums. */
    long bytes() {
        return bytes;
    }

    /** @param buffer with the transactions from its position to its limit */
    void laidOut(ByteBuffer buffer, int[] theirLengths, int[] theirEvents) {
        laidOut = buffer;
        lengths = theirLengths;
        events = theirEvents;
    }

    // ---- the publisher

    List<Journal> changes() {
        return changes;
    }

    ByteBuffer laidOut() {
        return laidOut;
    }

    int[] lengths() {
        return lengths;
    }

    int[] events() {
        return events;
    }

    /** A transaction that goes out in pieces behind the others, or null. */
    OutputTransaction large() {
        return large;
    }

    /** Null where no cut stands behind it. */
    Cut cut() {
        return cut;
    }

    /** The buffer belongs to the chunk now. */
    void handedOver() {
        laidOut = null;
        lengths = null;
        events = null;
    }

    /** Gives back all payload that it still holds, and is empty. */
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
        handedOver();
    }
}
