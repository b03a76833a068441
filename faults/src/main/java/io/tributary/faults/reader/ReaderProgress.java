package io.tributary.faults.reader;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.testkit.check.BinlogDamage;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.check.Report;
import io.tributary.testkit.check.RowChange;
import io.tributary.testkit.check.TransactionAssembler;
import io.tributary.testkit.workload.BankWorkload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The position of a reader in the binlog, and the violations that it has found. Written by the reader's thread; read by any thread. */
final class ReaderProgress {
    private static final int CHECKSUM = 4;
    private static final int MAGIC = 4;
    private static final int AT_MICROS = 5;
    private static final int MOST_WORDS = 10;
    private static final long NO_MARK = Long.MAX_VALUE;

    private final ServedCopy copy;
    private final TransactionAssembler assembler = new TransactionAssembler();
    private final List<String> words = new ArrayList<>();
    private GtidSet gtids = GtidSet.EMPTY;
    private String file = "";
    private long position = MAGIC;
    private String reading = "";
    private long checked;
    private long wrong;
    private long markMicros = NO_MARK;
    private long firstNanos;

    ReaderProgress(ServedCopy copy) {
        this.copy = copy;
    }

    synchronized void connected() {
        assembler.reset();
        reading = file;
    }

    /** The server ended the stream with an error. */
    synchronized void refused(MysqlServerError error) {
        if (error.is(MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG)) {
            add("refused after " + file + ":" + position + " and " + gtids.line() + ": " + error.serverMessage());
        }
    }

    /** Accepts an event as it was received, with its checksum. */
    synchronized void event(ByteBuffer view, int at, int length) {
        int type = view.get(at + 4) & 0xff;
        long logPos = LittleEndian.getInt(view, at + 13) & 0xffffffffL;
        boolean isArtificial = (view.get(at + 17) & EventFlags.LOG_EVENT_ARTIFICIAL_F) != 0;
        if (type == EventType.HEARTBEAT_LOG_EVENT || type == EventType.HEARTBEAT_LOG_EVENT_V2) {
            return;
        }
        if (type == EventType.ROTATE_EVENT && isArtificial) {
            reading = RotateEvent.fileName(view, at, at + length - CHECKSUM);
            return;
        }
        long offset = logPos - length;
        if (isArtificial || offset < MAGIC) { // an artificial FORMAT_DESCRIPTION: the reader starts inside a file
            return;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.put(0, view, at, length);
        try {
            copy.put(reading, offset, bytes.duplicate());
            BinlogEvent event = new BinlogEvent(reading, offset, length, bytes.slice(0, length - CHECKSUM));
            assembler.accept(event).ifPresent(this::transaction);
        } catch (BinlogDamage e) {
            add("a received event is damaged: " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (!assembler.isInside()) {
            moveTo(reading, offset + length);
        }
    }

    private void moveTo(String inFile, long end) {
        if (inFile.compareTo(file) > 0 || inFile.equals(file) && end > position) {
            file = inFile;
            position = end;
        }
    }

    private void transaction(BinlogTransaction transaction) {
        Gtid gtid = transaction.gtid();
        checked++;
        if (gtids.contains(gtid)) {
            add("received " + transaction.place() + " again");
        } else if (gtid.gno() != gtids.last(gtid.sid()) + 1) {
            add("received " + transaction.place() + " after number " + gtids.last(gtid.sid()));
        }
        gtids = gtids.plus(gtid.sid(), gtid.gno());
        if (firstNanos == 0 && committedSince(transaction, markMicros)) {
            firstNanos = Clock.SYSTEM.nanoTime();
        }
    }

    private static boolean committedSince(BinlogTransaction transaction, long micros) {
        for (RowChange change : transaction.changes()) {
            if (change.isOf(BankWorkload.SCHEMA, "transfers") && change.row().number(AT_MICROS) >= micros) {
                return true;
            }
        }
        return false;
    }

    private void add(String what) {
        wrong++;
        if (words.size() < MOST_WORDS) {
            words.add(what);
        }
    }

    synchronized void mark(long epochMicros) {
        markMicros = epochMicros;
        firstNanos = 0;
    }

    synchronized Optional<Long> firstSinceMark() {
        return firstNanos == 0 ? Optional.empty() : Optional.of(firstNanos);
    }

    synchronized GtidSet gtids() {
        return gtids;
    }

    synchronized String file() {
        return file;
    }

    synchronized long position() {
        return position;
    }

    ServedCopy copy() {
        return copy;
    }

    synchronized Report suffixes(String name) {
        return new Report("I10 suffix of " + name, checked, wrong, words);
    }
}
