package io.tributary.bench.source;

import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.source.RoundTransaction;
import io.tributary.testkit.source.ServedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A canned binlog as if its server were writing it now: it grows as it is read, and updates of the heartbeat row are put in
 * where the newest reader stands. So all that follows them has a higher GTID and sequence number than in the file: one more for each.
 * Its file may be told in several laps, for a longer run. Belongs to one event loop.
 */
final class ReplayLog implements ServedLog {
    private final CannedBinlog canned;
    private final int laps;
    private final RoundTransaction writer;
    private final List<Insertion> insertions = new ArrayList<>();
    private RoundTransaction.Row row = new RoundTransaction.Row(0, 0, 0);
    private long grownTo;
    private long grownTransactions;
    private long newestMicros;
    private long firstReadMicros;
    private long lastNumber;

    /** A transaction that stands in front of the one at a place of the log. */
    record Insertion(long place, byte[] bytes) {}

    /** @param laps how often the file's transactions are told, one lap behind the other */
    ReplayLog(CannedBinlog canned, int laps) {
        this.laps = laps;
        this.canned = canned;
        this.writer = new RoundTransaction(canned.serverId(), canned.uuid());
        reset();
    }

    /** Forgets that it was ever read. */
    void reset() {
        insertions.clear();
        row = new RoundTransaction.Row(0, 0, 0);
        grownTo = 0;
        grownTransactions = 0;
        newestMicros = canned.createdSeconds() * 1_000_000;
        firstReadMicros = 0;
        lastNumber = 0;
    }

    CannedBinlog canned() {
        return canned;
    }

    @Override
    public UUID uuid() {
        return canned.uuid();
    }

    @Override
    public long serverId() {
        return canned.serverId();
    }

    @Override
    public String serverVersion() {
        return canned.serverVersion();
    }

    @Override
    public String fileName() {
        return CannedBinlog.FILE_NAME;
    }

    @Override
    public int fileEnd() {
        return canned.end();
    }

    /** Bytes of all laps, without insertions: a place is 0 to this. */
    long length() {
        return canned.bytes(laps);
    }

    /** Where in the file the event at a place stands. */
    int viewAt(long place) {
        return canned.end() - (int) (lapEnd(place) - place);
    }

    /** The place behind the lap in which a place lies. */
    long lapEnd(long place) {
        return place == length() ? place : canned.bytes(lap(place) + 1);
    }

    /** The lap, 0 up, in which a place lies. */
    int lap(long place) {
        long lapBytes = canned.bytes() - canned.statementBytes();
        return (int) Math.max(0, (place - canned.statementBytes()) / lapBytes);
    }

    List<Insertion> insertions() {
        return insertions;
    }

    @Override
    public RoundTransaction.Row row() {
        return row;
    }

    /** The heartbeat row changes, and the log says so. */
    void update(RoundTransaction.Row after) {
        long number = grownTransactions + insertions.size() + 1;
        insertions.add(new Insertion(grownTo, writer.bytes(number, ++newestMicros, viewAt(grownTo), row, after)));
        row = after;
    }

    /** A reader that stays has begun. */
    void readBegins() {
        if (firstReadMicros == 0) {
            firstReadMicros = Clock.SYSTEM.epochMicros();
        }
    }

    /**
     * A reader that stays stands at a place.
     *
     * @param transactions of the file before it
     * @param commitMicros of the last of them
     */
    void readTo(long place, long transactions, long commitMicros) {
        if (place <= grownTo) {
            return;
        }
        grownTo = place;
        grownTransactions = transactions;
        newestMicros = Math.max(newestMicros, commitMicros);
        if (place == length()) {
            lastNumber = transactions + insertions.size();
        }
    }

    /** All transactions there are now, those of the file that were not read yet among them: 1 to this. */
    @Override
    public long newestNumber() {
        return canned.transactions(laps) + insertions.size();
    }

    /** The number of the file's last transaction; 0 until it was read. */
    long lastNumber() {
        return lastNumber;
    }

    /** Bytes of the file that readers that stay have read. */
    long readBytes() {
        return grownTo;
    }

    /** When the first reader that stays began, µs since 1970; 0 for not yet. */
    long firstReadMicros() {
        return firstReadMicros;
    }
}
