package io.tributary.collector;

import java.nio.ByteBuffer;

/** A transaction that is encoded piece by piece. */
final class LargeTransaction implements AutoCloseable {
    private final OutputTransaction transaction;
    private final TransactionEncoder encoder;
    private final BranchJoin body;
    private final long timestamp;
    private boolean hasBegun;
    private boolean hasEnded;

    /** The transaction keeps its payloads until this is closed. */
    LargeTransaction(OutputTransaction transaction, TransactionEncoder encoder) {
        this.transaction = transaction;
        this.encoder = encoder;
        this.timestamp = TransactionEncoder.timestamp(transaction);
        this.body = new BranchJoin(transaction);
    }

    /** Bytes of the whole transaction, without checksums. */
    long length() {
        return TransactionEncoder.length(transaction);
    }

    long events() {
        return TransactionEncoder.events(transaction);
    }

    boolean isAtEnd() {
        return hasEnded;
    }

    /**
     * Writes the next bytes of the transaction, from offset 0.
     *
     * @param end bytes that may be written, at least the length of a transaction's head
     * @return bytes written
     */
    int fill(ByteBuffer to, int end) {
        int at = 0;
        if (!hasBegun) {
            hasBegun = true;
            at = encoder.writeHead(transaction, timestamp, to, at);
        }
        at = body.copy(to, at, end);
        if (body.isAtEnd() && end - at >= TransactionEncoder.tailLength(transaction)) {
            at = encoder.writeTail(transaction, timestamp, to, at);
            hasEnded = true;
        }
        return at;
    }

    @Override
    public void close() {
        body.close();
    }
}
