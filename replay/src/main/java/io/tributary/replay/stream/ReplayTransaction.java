package io.tributary.replay.stream;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A transaction for the target: the events of its BINLOG statements. Owned by one thread at a time. */
public final class ReplayTransaction {
    /** Bytes that any transaction counts, so that many small ones are limited too. */
    private static final int OVERHEAD = 256;

    private final Gtid gtid;
    private final long lastCommitted;
    private final long sequence;
    private final long committedMicros;
    private final List<byte[]> pieces = new ArrayList<>();
    private final Set<TableName> tables = new LinkedHashSet<>();
    private long bytes = OVERHEAD;

    /**
     * @param lastCommitted the logical clock of the transaction on which it depends
     * @param sequence its own logical clock, 0 if it has none
     * @param committedMicros when it was committed on its shard, microseconds since 1970; 0 if it is not known
     */
    public ReplayTransaction(Gtid gtid, long lastCommitted, long sequence, long committedMicros) {
        this.gtid = gtid;
        this.lastCommitted = lastCommitted;
        this.sequence = sequence;
        this.committedMicros = committedMicros;
    }

    /** Appends the events of one BINLOG statement. */
    public void add(byte[] piece) {
        pieces.add(piece);
        bytes += piece.length;
    }

    void touches(TableName table) {
        tables.add(table);
    }

    /** When it was committed on its shard, microseconds since 1970; 0 if it is not known. */
    public long committedMicros() {
        return committedMicros;
    }

    /** Removes the events, which were passed on. */
    public void clear() {
        pieces.clear();
    }

    public Gtid gtid() {
        return gtid;
    }

    public long lastCommitted() {
        return lastCommitted;
    }

    public long sequence() {
        return sequence;
    }

    /** The events of each BINLOG statement; must not be changed. */
    public List<byte[]> pieces() {
        return pieces;
    }

    /** Bytes of all its events, also of those that were passed on. */
    public long bytes() {
        return bytes;
    }

    /** For messages. */
    @Override
    public String toString() {
        return "transaction " + gtid + (tables.isEmpty() ? "" : " on " + tables);
    }
}
