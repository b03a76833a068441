package io.tributary.collector;

import java.nio.ByteBuffer;

/** A transaction that is laid out piece by piece. */
final class LargeTransaction implements AutoCloseable {
    private final OutputTransaction transaction;
    private final TransactionLayout layout;
    private final BranchJoin body;
    private final long timestamp;
    private boolean hasBegun;
    private boolean hasEnded;

    /** The transaction keeps its payloads until this is closed. */
    LargeTransaction(OutputTransaction transaction, TransactionLayout layout) {
        this.transaction = transaction;
        this.layout = layout;
        this.timestamp = TransactionLayout.timestamp(transaction);
        this.body = new BranchJoin(transaction);
    }

    /** Bytes of the whole, without checksums. */
    long length() {
        return TransactionLayout.length(transaction);
    }

    long events() {
        return TransactionLayout.events(transaction);
    }

    boolean isAtEnd() {
        return hasEnded;
    }

    /**
     * Writes what comes next, from 0 on.
     *
     * @param end bytes that may be written, enough for a transaction's head
     * @return bytes written
     */
    int fill(ByteBuffer to, int end) {
        int at = 0;
        if (!hasBegun) {
            hasBegun = true;
            at = layout.writeHead(transaction, timestamp, to, at);
        }
        at = body.copy(to, at, end);
        if (body.isAtEnd() && end - at >= TransactionLayout.tailLength(transaction)) {
            at = layout.writeTail(transaction, timestamp, to, at);
            hasEnded = true;
        }
        return at;
    }

    @Override
    public void close() {
        body.close();
    }
}
