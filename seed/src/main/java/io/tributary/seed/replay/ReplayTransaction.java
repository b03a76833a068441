package io.tributary.seed.replay;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A transaction for the target: the events of its BINLOG statements. Owned by one thread at a time. */
final class ReplayTransaction {
    /** Bytes that any transaction counts, so that many small ones are limited too. */
    private static final int OVERHEAD = 256;

    private final Gtid gtid;
    private final long lastCommitted;
    private final long sequence;
    private final List<byte[]> pieces = new ArrayList<>();
    private final Set<TableName> tables = new LinkedHashSet<>();
    private long bytes = OVERHEAD;

    /**
     * @param lastCommitted the logical clock of the transaction on which it depends
     * @param sequence its own logical clock, 0 if it has none
     */
    ReplayTransaction(Gtid gtid, long lastCommitted, long sequence) {
        this.gtid = gtid;
        this.lastCommitted = lastCommitted;
        this.sequence = sequence;
    }

    /** Appends the events of one BINLOG statement. */
    void add(byte[] piece) {
        pieces.add(piece);
        bytes += piece.length;
    }

    void touches(TableName table) {
        tables.add(table);
    }

    /** Removes the events, which were passed on. */
    void clear() {
        pieces.clear();
    }

    Gtid gtid() {
        return gtid;
    }

    long lastCommitted() {
        return lastCommitted;
    }

    long sequence() {
        return sequence;
    }

    List<byte[]> pieces() {
        return pieces;
    }

    /** Bytes of all its events, also of those that were passed on. */
    long bytes() {
        return bytes;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "transaction " + gtid + (tables.isEmpty() ? "" : " on " + tables);
    }
}
