package io.tributary.testkit.source;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.PreviousGtidsEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.mysql.event.XidEvent;
import io.tributary.mysql.event.polardbx.GcnEvent;
import io.tributary.mysql.event.polardbx.SequenceEvent;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * The binlog file of a PolarDB-X data node, which grows by whole transactions: format description, previous GTIDs, then GTIDs 1 and up,
 * all with CRC32. All rows are of one table {@code app.moves (transaction, shard, number)}. For any thread.
 */
public final class PolarDbxLog implements ServedLog {
    public static final String SCHEMA = "app";
    public static final String TABLE = "moves";
    /** The value for "no timestamp". */
    public static final long NONE = 0;

    /** Offset of the create timestamp in a format description. */
    private static final int CREATED_AT = EventHeader.LENGTH + 2 + 50;

    private static final String VERSION = "8.0.32-X-Cluster";
    private static final int SERVER_VERSION = 80032;
    private static final int GCN_OF_ITS_OWN = 0x01;
    private static final byte[] NOTHING = {};

    private final UUID uuid;
    private final long serverId;
    private final PolarDbxGeneration generation;
    private final IntegerTable moves = new IntegerTable(101, SCHEMA, TABLE, 3);
    private final RoundTransaction rounds;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer unit = ByteBuffer.allocate(4096);
    private final List<Integer> starts = new ArrayList<>();
    private final GrowingFile file = new GrowingFile();
    private int firstAt;
    private int at;
    private int gtidAt;
    private long micros = 1_700_000_000_000_000L;
    private RoundTransaction.Row row = new RoundTransaction.Row(0, 0, 0);
    private Runnable listener = () -> {};

    public PolarDbxLog(UUID uuid, long serverId, PolarDbxGeneration generation) {
        this.uuid = uuid;
        this.serverId = serverId;
        this.generation = generation;
        this.rounds = new RoundTransaction(serverId, uuid);
        begin();
    }

    private void begin() {
        ByteBuffer magic = ByteBuffer.allocate(EventHeader.FILE_MAGIC_LENGTH);
        LittleEndian.putInt(magic, 0, EventHeader.FILE_MAGIC);
        file.append(magic.array(), EventHeader.FILE_MAGIC_LENGTH);
        FormatDescriptionEvent.write(unit, at, origin(), VERSION, Checksum.CRC32);
        LittleEndian.putU32(unit, at + CREATED_AT, seconds()); // the first file after a start
        end(FormatDescriptionEvent.LENGTH);
        PreviousGtidsEvent.write(unit, at, origin(), GtidSet.EMPTY);
        end(PreviousGtidsEvent.length(GtidSet.EMPTY));
        consensusEvent(EventType.PREVIOUS_CONSENSUS_INDEX_LOG_EVENT, 1);
        append();
        firstAt = file.end();
    }

    /** Whether it can store the commit timestamp of a local transaction. */
    boolean hasLocalTimestamps() {
        return generation != PolarDbxGeneration.STATUS_VARIABLES;
    }

    /** A callback after each transaction, on the thread that wrote it; it must not block. */
    public synchronized void onGrowth(Runnable newListener) {
        listener = newListener;
    }

    /**
     * Writes a local transaction that inserts one row.
     *
     * @param tso its commit timestamp, or {@link #NONE}; generation STATUS_VARIABLES cannot store it
     */
    public synchronized void local(long tso, long transaction, long shard, long number) {
        gtid(tso, tso == NONE);
        QueryEvent.writeBegin(unit, at, origin(), 7);
        end(QueryEvent.BEGIN_LENGTH);
        sequence(SequenceEvent.SNAPSHOT, tso - 1);
        insert(transaction, shard, number);
        sequence(SequenceEvent.COMMIT, tso);
        XidEvent.write(unit, at, origin(), newestNumber());
        end(XidEvent.LENGTH);
        append();
    }

    /** Writes a prepared branch that inserts one row. */
    public synchronized void prepare(DrdsXid branch, long prepareTso, long transaction, long shard, long number) {
        gtid(NONE, false);
        branch(branch.xid(), prepareTso, transaction, shard, number, false);
    }

    /** Writes a branch that commits in one phase: a local transaction for its shard. */
    public synchronized void onePhase(DrdsXid branch, long tso, long transaction, long shard, long number) {
        gtid(tso, false);
        branch(branch.xid(), tso, transaction, shard, number, true);
    }

    private void branch(Xid xid, long prepareTso, long transaction, long shard, long number, boolean isOnePhase) {
        xa("XA START ", xid, NOTHING);
        insert(transaction, shard, number);
        xa("XA END ", xid, generation.variable(StatusVariables.Q_LIZARD_PREPARE_GCN, prepareTso));
        if (isOnePhase) {
            sequence(SequenceEvent.COMMIT, prepareTso);
        }
        end(XaPrepareEvent.write(unit, at, origin(), isOnePhase, xid) - at);
        append();
    }

    /** Commits a prepared branch. */
    public synchronized void commit(DrdsXid branch, long tso) {
        gtid(tso, false);
        sequence(SequenceEvent.COMMIT, tso);
        xa("XA COMMIT ", branch.xid(), generation.variable(StatusVariables.Q_LIZARD_COMMIT_GCN, tso));
        append();
    }

    /** Rolls a prepared branch back. */
    public synchronized void rollback(DrdsXid branch) {
        gtid(NONE, false);
        xa("XA ROLLBACK ", branch.xid(), NOTHING);
        append();
    }

    /** Writes the events between transactions: bookkeeping of the replicas, and in the first generation a heartbeat. */
    public synchronized void between(long tso) {
        consensusEvent(EventType.CONSENSUS_LOG_EVENT, file.end());
        sequence(SequenceEvent.HEARTBEAT, tso);
        int length = at;
        file.append(unit.array(), length);
        at = 0;
    }

    /** Updates the heartbeat row and logs the update; returns whether the row changed. */
    synchronized boolean update(HeartbeatUpdate update) {
        RoundTransaction.Row after = update.apply(row);
        if (after.equals(row)) {
            return false;
        }
        starts.add(file.end());
        byte[] bytes = rounds.bytes(starts.size(), micros += 10, file.end(), row, after);
        row = after;
        file.append(bytes, bytes.length);
        listener.run();
        return true;
    }

    private EventOrigin origin() {
        return new EventOrigin(seconds(), serverId);
    }

    private long seconds() {
        return micros / 1_000_000;
    }

    /** @param isOwn whether the server creates the timestamp itself */
    private void gtid(long tso, boolean isOwn) {
        starts.add(file.end());
        micros += 10;
        if (generation == PolarDbxGeneration.GCN_EVENTS) {
            gcn(tso == NONE && !isOwn ? 0 : GCN_OF_ITS_OWN | (tso == NONE ? 0 : GcnEvent.FLAG_HAVE_COMMITTED_SEQ), tso);
        }
        long number = newestNumber();
        gtidAt = at;
        GtidEvent.write(unit, at, origin(), micros, SERVER_VERSION);
        GtidEvent.setSid(unit, at, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        GtidEvent.setGno(unit, at, number);
        GtidEvent.setLogicalClock(unit, at, number - 1, number);
        end(GtidEvent.LENGTH);
    }

    private void gcn(int flags, long tso) {
        GcnEvent.write(unit, at, origin(), flags, tso == NONE ? micros / 1000 << 22 : tso);
        boolean hasValue = (flags & GCN_OF_ITS_OWN) != 0;
        end(hasValue ? GcnEvent.LENGTH : GcnEvent.LENGTH - Long.BYTES);
    }

    private void sequence(int kind, long tso) {
        if (generation == PolarDbxGeneration.SEQUENCE_EVENTS && tso > NONE) {
            SequenceEvent.write(unit, at, origin(), kind, tso);
            end(SequenceEvent.LENGTH);
        }
    }

    private void consensusEvent(int type, long index) {
        EventHeader.write(unit, at, origin(), type, EventHeader.LENGTH + 2 * Long.BYTES);
        LittleEndian.putLong(unit, at + EventHeader.LENGTH, index);
        LittleEndian.putLong(unit, at + EventHeader.LENGTH + Long.BYTES, 1);
        end(EventHeader.LENGTH + 2 * Long.BYTES);
    }

    private void insert(long... values) {
        end(moves.tableMap(unit, at, seconds(), serverId));
        end(moves.insert(unit, at, seconds(), serverId, values));
    }

    private void xa(String verb, Xid xid, byte[] variables) {
        HexFormat hex = HexFormat.of();
        String text =
                verb + "X'" + hex.formatHex(xid.gtrid()) + "',X'" + hex.formatHex(xid.bqual()) + "'," + xid.formatId();
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        end(QueryEvent.write(unit, at, origin(), new LoggedStatement(0, 7, variables, NOTHING, bytes)) - at);
    }

    /** Completes the event of this length at {@link #at} with its position and checksum. */
    private void end(int length) {
        int size = length + Checksum.LENGTH;
        EventHeader.setSize(unit, at, size);
        EventHeader.setLogPos(unit, at, (long) file.end() + at + size);
        checksum.append(unit, at);
        at += size;
    }

    /** Publishes a complete unit: a transaction, or the file's head. */
    private void append() {
        if (!starts.isEmpty()) {
            GtidEvent.setTransactionLength(unit, gtidAt, at - gtidAt);
            checksum.append(unit, gtidAt);
        }
        file.append(unit.array(), at);
        at = 0;
        listener.run();
    }

    /** A copy of the current file. */
    public synchronized byte[] bytes() {
        return file.copy(0, file.end());
    }

    /** The end of the head: the start of the first transaction. */
    int firstAt() {
        return firstAt;
    }

    /** The bytes of the transactions with GTIDs above {@code known}, up to {@code last}, and of the events between them. */
    synchronized byte[] transactions(long known, long last) {
        return file.copy(startBehind(known), startBehind(last));
    }

    private int startBehind(long known) {
        return known < starts.size() ? starts.get((int) known) : file.end();
    }

    @Override
    public UUID uuid() {
        return uuid;
    }

    @Override
    public long serverId() {
        return serverId;
    }

    @Override
    public String serverVersion() {
        return VERSION;
    }

    @Override
    public String fileName() {
        return "binlog.000001";
    }

    @Override
    public synchronized int fileEnd() {
        return file.end();
    }

    @Override
    public synchronized long newestNumber() {
        return starts.size();
    }

    @Override
    public synchronized RoundTransaction.Row row() {
        return row;
    }
}
