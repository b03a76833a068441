package io.tributary.bench.source;

import io.tributary.common.gtid.Sid;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.event.XidEvent;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.CommandHandler;
import io.tributary.mysql.protocol.server.DumpRequest;
import io.tributary.mysql.protocol.server.EventSink;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.testkit.source.RoundTransaction;
import io.tributary.testkit.source.ServedLog;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * A simulated shard whose transactions are generated while its single reader reads them, without checksums and without a file: any amount, without a
 * disk. Updates of the heartbeat row are inserted between them when they happen. It runs on one event loop, except for its status methods.
 */
final class MadeShard implements CommandHandler, ServedLog {
    private static final int BLOCK = 300 << 10;
    private static final int BLOCKS_AT_ONCE = 4;
    private static final int SERVER_VERSION = 80031;

    private final long serverId;
    private final UUID uuid;
    private final MadeTransactions made;
    private final Executor loop;
    private final ShardStatements talk;
    private final RoundTransaction rounds;
    private final Checksum checksum = new Checksum();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK);
    private final Queue<RoundTransaction.Row> updates = new ArrayDeque<>();

    private EventSink sink;
    private RoundTransaction.Row row = new RoundTransaction.Row(0, 0, 0);
    private RoundTransaction.Row sentRow = row;
    private long number;
    private long transaction;
    private long nextBlock;
    private boolean continues;
    private volatile long sentBytes;
    private volatile long lastNumber;

    MadeShard(long serverId, UUID uuid, MadeTransactions made, Executor loop) {
        this.serverId = serverId;
        this.uuid = uuid;
        this.made = made;
        this.loop = loop;
        this.talk = new ShardStatements(this, "NONE", this::update);
        this.rounds = new RoundTransaction(serverId, uuid);
    }

    /** The bytes of events between BEGIN and XID that were sent; for any thread. */
    long sentBytes() {
        return sentBytes;
    }

    /** The GTID number of the last generated transaction; 0 until it was sent; for any thread. */
    long lastNumber() {
        return lastNumber;
    }

    @Override
    public void query(Session session, String sql) {
        talk.answer(session, sql);
    }

    private void update(RoundTransaction.Row after) {
        row = after;
        updates.add(after);
        pump();
    }

    @Override
    public void dump(Session session, DumpRequest request, EventSink newSink) {
        long known = request.gtids().map(set -> set.last(new Sid(uuid))).orElse(0L);
        if (known != number || nextBlock != 0) {
            newSink.fail(
                    MysqlError.ER_MASTER_FATAL_ERROR_READING_BINLOG,
                    "this source was read to " + number + " and cannot begin after " + known);
            return;
        }
        sink = newSink;
        sink.onRoom(this::pump);
        head();
        pump();
    }

    /** Sends an artificial rotate and a format description. */
    private void head() {
        long seconds = Clock.SYSTEM.epochMicros() / 1_000_000;
        int end =
                RotateEvent.writeArtificial(block, 0, serverId, CannedBinlog.FILE_NAME, EventHeader.FILE_MAGIC_LENGTH);
        sink.events(block, 0, end);
        FormatDescriptionEvent.write(block, 0, new EventOrigin(seconds, serverId), serverVersion(), Checksum.NONE);
        EventHeader.setSize(block, 0, FormatDescriptionEvent.LENGTH + Checksum.LENGTH);
        checksum.append(block, 0);
        sink.events(block, 0, FormatDescriptionEvent.LENGTH + Checksum.LENGTH);
    }

    private void pump() {
        if (!continues && sink != null) {
            pumpBlocks();
        }
    }

    private void pumpBlocks() {
        continues = false;
        for (int i = 0; i < BLOCKS_AT_ONCE && sink.hasRoom(); i++) {
            if (!sendNext()) {
                return;
            }
        }
        if (sink.hasRoom()) {
            continues = true;
            loop.execute(this::pumpBlocks);
        }
    }

    /** Returns false if there is nothing more to send now. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the loop writes sentBytes
    private boolean sendNext() {
        if (nextBlock == 0 && !updates.isEmpty()) {
            sendRound(updates.poll());
            return true;
        }
        if (transaction == made.count()) {
            return false;
        }
        if (nextBlock == 0) {
            sink.events(block, 0, begin());
        }
        int bytes = made.block(transaction, nextBlock++, block);
        sink.events(block, 0, bytes);
        sentBytes += bytes;
        if (nextBlock == made.blocks(transaction)) {
            XidEvent.write(block, 0, new EventOrigin(seconds(), serverId), number);
            sink.events(block, 0, XidEvent.LENGTH);
            nextBlock = 0;
            transaction++;
            if (transaction == made.count()) {
                lastNumber = number;
            }
        }
        return true;
    }

    private int begin() {
        number++;
        long micros = Clock.SYSTEM.epochMicros();
        GtidEvent.write(block, 0, new EventOrigin(micros / 1_000_000, serverId), micros, SERVER_VERSION);
        GtidEvent.setSid(block, 0, uuid.getMostSignificantBits(), uuid.getLeastSignificantBits());
        GtidEvent.setGno(block, 0, number);
        GtidEvent.setLogicalClock(block, 0, number - 1, number);
        QueryEvent.writeBegin(block, GtidEvent.LENGTH, new EventOrigin(micros / 1_000_000, serverId), 1);
        return GtidEvent.LENGTH + QueryEvent.BEGIN_LENGTH;
    }

    private void sendRound(RoundTransaction.Row after) {
        ByteBuffer bytes = ByteBuffer.wrap(rounds.bytes(++number, Clock.SYSTEM.epochMicros(), 0, sentRow, after));
        sentRow = after;
        int to = 0;
        for (int at = 0; at < bytes.limit(); at = EventHeader.end(bytes, at)) {
            int size = EventHeader.size(bytes, at) - Checksum.LENGTH;
            block.put(to, bytes, at, size);
            EventHeader.setSize(block, to, size);
            to += size;
        }
        sink.events(block, 0, to);
    }

    private static long seconds() {
        return Clock.SYSTEM.epochMicros() / 1_000_000;
    }

    // ---- status

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
        return "8.0.31";
    }

    @Override
    public String fileName() {
        return CannedBinlog.FILE_NAME;
    }

    @Override
    public int fileEnd() {
        return EventHeader.FILE_MAGIC_LENGTH;
    }

    @Override
    public long newestNumber() {
        return number;
    }

    @Override
    public RoundTransaction.Row row() {
        return row;
    }
}
