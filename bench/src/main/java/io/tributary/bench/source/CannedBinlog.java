package io.tributary.bench.source;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A shard's single binlog file, mapped into memory: its head (format description, previous GTIDs), then transactions with the GTIDs 1, 2, ... and
 * the same sequence numbers, all with CRC32.
 */
public final class CannedBinlog {
    /** The name that readers see. */
    public static final String FILE_NAME = "binlog.000001";

    private final String shard;
    private final UUID uuid;
    private final ByteBuffer view;
    private final int formatAt = EventHeader.FILE_MAGIC_LENGTH;
    private int firstAt;
    private int end;
    private long events;
    private long transactions;
    private long statements;
    private int statementsEnd;
    private long statementEvents;

    private CannedBinlog(String shard, UUID uuid, ByteBuffer view) {
        this.shard = shard;
        this.uuid = uuid;
        this.view = view;
        scan();
    }

    static CannedBinlog open(Path folder, String shard) {
        Path file = folder.resolve(shard + ".binlog");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            UUID uuid = UUID.fromString(
                    Files.readString(folder.resolve(shard + ".uuid")).strip());
            return new CannedBinlog(
                    shard,
                    uuid,
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size())
                            .load());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot open " + file, e);
        }
    }

    /** Finds the start and the end of the transactions; throws if the file does not have the form that the class describes. */
    private void scan() {
        if (EventHeader.type(view, formatAt) != EventType.FORMAT_DESCRIPTION_EVENT
                || FormatDescriptionEvent.checksumAlgorithm(view, EventHeader.end(view, formatAt) - Checksum.LENGTH)
                        != Checksum.CRC32) {
            throw new IllegalStateException(shard + ": expected a binlog file with CRC32");
        }
        int at = EventHeader.end(view, EventHeader.end(view, formatAt));
        firstAt = at;
        end = at;
        statementsEnd = at;
        boolean inRows = false;
        boolean hadRows = false;
        while (at < view.limit()) {
            int type = EventHeader.type(view, at);
            if (type == EventType.STOP_EVENT || type == EventType.ROTATE_EVENT) {
                break;
            }
            int next = EventHeader.end(view, at);
            events++;
            switch (type) {
                case EventType.GTID_LOG_EVENT -> {
                    transactions++;
                    long number = GtidEvent.gno(view, at);
                    if (number != transactions || GtidEvent.sequenceNumber(view, at, next) != transactions) {
                        throw new IllegalStateException(shard + ": expected transaction number " + transactions
                                + " in the order of the file, found " + number);
                    }
                }
                case EventType.TABLE_MAP_EVENT -> {
                    inRows = true;
                    hadRows = true;
                }
                case EventType.XID_EVENT -> {
                    inRows = false;
                    end = next;
                }
                case EventType.QUERY_EVENT -> {
                    if (!inRows && !isBegin(at, next)) {
                        if (hadRows) {
                            throw new IllegalStateException(shard + ": expected DDL at the beginning only");
                        }
                        statements++;
                        end = next;
                        statementsEnd = next;
                        statementEvents = events;
                    }
                }
                default -> {}
            }
            at = next;
        }
    }

    private boolean isBegin(int at, int next) {
        return QueryEvent.textIs(view, at, next - Checksum.LENGTH, "BEGIN");
    }

    public String shard() {
        return shard;
    }

    public UUID uuid() {
        return uuid;
    }

    /** The number of bytes of the transactions. */
    public long bytes() {
        return end - (long) firstAt;
    }

    /** The number of events of the transactions. */
    public long events() {
        return events;
    }

    /** The number of transactions, including DDL. */
    public long transactions() {
        return transactions;
    }

    /** The bytes up to the end of the last DDL statement; these statements create the tables. */
    long statementBytes() {
        return statementsEnd - (long) firstAt;
    }

    /** The bytes of this many laps: all transactions, then repeatedly those after the DDL. */
    public long bytes(int laps) {
        return laps * bytes() - (laps - 1) * statementBytes();
    }

    /** The number of events of this many laps. */
    public long events(int laps) {
        return laps * events() - (laps - 1) * statementEvents;
    }

    /** The number of transactions of this many laps. */
    public long transactions(int laps) {
        return laps * transactions() - (laps - 1) * statements;
    }

    /** The number of DDL transactions, which are all at the beginning of the file. */
    public long statements() {
        return statements;
    }

    ByteBuffer view() {
        return view;
    }

    /** The offset of the format description. */
    int formatAt() {
        return formatAt;
    }

    /** The offset of the first transaction. */
    int firstAt() {
        return firstAt;
    }

    /** The offset after the last transaction. */
    int end() {
        return end;
    }

    /** The creation time of the file, in seconds since 1970. */
    long createdSeconds() {
        return LittleEndian.getU32(view, formatAt);
    }

    long serverId() {
        return EventHeader.serverId(view, formatAt);
    }

    String serverVersion() {
        return FormatDescriptionEvent.serverVersion(view, formatAt);
    }
}
