package io.tributary.bench.source;

import io.tributary.common.pipeline.Clock;
import io.tributary.testkit.source.RoundTransaction;
import io.tributary.testkit.source.ServedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A canned binlog as if its server were writing it now: it grows while it is read, and updates of the heartbeat row are inserted at the
 * place of the newest reader. All transactions after an insertion have a GTID and a sequence number that is higher by one than in the file.
 * The file can be sent in several laps, for a longer run. It belongs to one event loop.
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

    /** An inserted transaction before the one at a place of the log. */
    record Insertion(long place, byte[] bytes) {}

    /** @param laps how often the file's transactions are sent, one lap after another */
    ReplayLog(CannedBinlog canned, int laps) {
        this.laps = laps;
        this.canned = canned;
        this.writer = new RoundTransaction(canned.serverId(), canned.uuid());
        reset();
    }

    /** Resets the log to its initial state. */
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

    /** The bytes of all laps without insertions; places are from 0 to this value. */
    long length() {
        return canned.bytes(laps);
    }

    /** The file offset of the event at a place. */
    int viewAt(long place) {
        return canned.end() - (int) (lapEnd(place) - place);
    }

    /** The place after the lap of a place. */
    long lapEnd(long place) {
        return place == length() ? place : canned.bytes(lap(place) + 1);
    }

    /** The lap of a place, from 0. */
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

    /** Inserts an update of the heartbeat row. */
    void update(RoundTransaction.Row after) {
        long number = grownTransactions + insertions.size() + 1;
        insertions.add(new Insertion(grownTo, writer.bytes(number, ++newestMicros, viewAt(grownTo), row, after)));
        row = after;
    }

    /** Notes that a permanent reader has begun. */
    void readBegins() {
        if (firstReadMicros == 0) {
            firstReadMicros = Clock.SYSTEM.epochMicros();
        }
    }

    /**
     * Notes the place of a permanent reader.
     *
     * @param transactions number of transactions of the file before it
     * @param commitMicros commit time of the last of them
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

    /** The number of all current transactions, including those of the file that were not read yet: GTIDs 1 to this. */
    @Override
    public long newestNumber() {
        return canned.transactions(laps) + insertions.size();
    }

    /** The number of the file's last transaction; 0 until it was read. */
    long lastNumber() {
        return lastNumber;
    }

    /** The bytes of the file that permanent readers have read. */
    long readBytes() {
        return grownTo;
    }

    /** When the first permanent reader began, in µs since 1970; 0 for not yet. */
    long firstReadMicros() {
        return firstReadMicros;
    }
}
