package io.tributary.extractor;

import com.github.luben.zstd.Zstd;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.io.PackedInteger;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.HiddenTable;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.Token;
import io.tributary.common.value.Xid;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.extractor.stream.EventReader;
import io.tributary.extractor.stream.PayloadWriter;
import io.tributary.extractor.stream.SourceTables;
import io.tributary.extractor.stream.StatementFilter;
import io.tributary.extractor.stream.TokenWriter;
import io.tributary.mysql.event.Checksum;
import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.FormatDescriptionEvent;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.event.XidEvent;
import io.tributary.mysql.event.mariadb.MariadbGtidEvent;
import io.tributary.mysql.event.xa.XaPrepareEvent;
import io.tributary.store.PayloadStore;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** A script of events made by hand, in a file with checksums, that are passed to an event reader. */
public final class EventScript implements AutoCloseable {
    public static final UUID SERVER = UUID.fromString("3e11fa47-71ca-11e1-9e33-c80aa9429562");
    private static final long TIME = 1_700_000_000L;
    /** The limit of a compressed transaction. */
    public static final int PAYLOAD_LIMIT = 1 << 20;

    private final PayloadStore store;
    private final Link<Token> link = new Link<>("tokens", 1024, Clock.SYSTEM);
    private final SourceTables tables;
    private final Metrics metrics = new Metrics();
    private final TokenOrder tokenOrder;
    private final EventReader reader;
    private final Checksum checksum = new Checksum();
    private ByteBuffer buf = ByteBuffer.allocateDirect(1 << 16);
    private long offset = 4;
    private long gno;
    private ByteArrayOutputStream inside; // of a compressed event, while it is made

    public EventScript() {
        this(GtidSet.EMPTY, ExtractOrder.xa(), 1);
    }

    /** @param toLeaveOut the transactions that an operator ordered to leave out */
    public EventScript(GtidSet toLeaveOut) {
        this(toLeaveOut, ExtractOrder.xa(), 1);
    }

    /** A script for one of this many shards. */
    public EventScript(int shards) {
        this(GtidSet.EMPTY, ExtractOrder.xa(), shards);
    }

    public EventScript(ExtractOrder order) {
        this(GtidSet.EMPTY, order, 1);
    }

    public EventScript(GtidSet toLeaveOut, ExtractOrder order) {
        this(toLeaveOut, order, 1);
    }

    /** A script of a shard that joins: this many first transactions are not in the output. */
    static EventScript joining(ExtractOrder order, int before) {
        GtidSet frontier =
                new GtidSet.Builder().addRange(new Sid(SERVER), 1, before).build();
        return new EventScript(GtidSet.EMPTY, order, 1, frontier);
    }

    /** A script after a restart: this many first transactions are read again, and hidden tables are known after them. */
    public static EventScript knowing(int before, List<HiddenTable> hidden) {
        GtidSet frontier =
                new GtidSet.Builder().addRange(new Sid(SERVER), 1, before).build();
        ShardCut from = ShardCut.unread("s1", "", GtidSet.EMPTY, frontier);
        return new EventScript(new ShardSource(0, null, from, hidden), ExtractOrder.xa(), 1);
    }

    private EventScript(GtidSet toLeaveOut, ExtractOrder order, int shards) {
        this(toLeaveOut, order, shards, GtidSet.EMPTY);
    }

    private EventScript(GtidSet toLeaveOut, ExtractOrder order, int shards, GtidSet frontier) {
        this(
                new ShardSource(
                        0,
                        null,
                        new ShardCut(
                                "s1",
                                "",
                                new ResumePosition(GtidSet.EMPTY, "", 0),
                                frontier,
                                0,
                                0,
                                new Cut.LeftOutGtids(toLeaveOut, GtidSet.EMPTY))),
                order,
                shards);
    }

    private EventScript(ShardSource source, ExtractOrder order, int shards) {
        this.store = MemoryStore.of(16, metrics);
        EventPosition position = new EventPosition();
        SchemaFilter schemas = new SchemaFilter(List.of("hidden"));
        this.tokenOrder = order.tokenOrder(source, link, store, Clock.SYSTEM, metrics);
        PayloadWriter payload = new PayloadWriter(store.appender("s1"), 99);
        TokenWriter tokens = new TokenWriter(0, source.from(), position, payload, tokenOrder);
        this.tables = new SourceTables(
                new TableRegistry(0),
                new SourceTables.Names(
                        TableMapping.NONE, schemas, table -> table.matches("_.*_gho"), order.markerTable()),
                99,
                shards);
        this.reader = new EventReader(
                source,
                tables,
                tokens,
                new StatementFilter(
                        schemas, new HiddenTables(HiddenTables.TOOLS), AccountFilter.DROP, TableMapping.NONE),
                PAYLOAD_LIMIT);
        reader.streamBegins(true, false, false);
        rotate("binlog.000001");
        formatDescription();
    }

    /** Begins another stream, of a server that compares names without regard to letter case. */
    public EventScript foldsNames() {
        reader.streamBegins(true, true, false);
        return rotate("binlog.000002").formatDescription();
    }

    public EventScript rotate(String file) {
        RotateEvent.writeArtificial(buf, 0, 1, file, 4);
        offset = 4;
        return feed(EventHeader.size(buf, 0), false);
    }

    public EventScript formatDescription() {
        return formatDescription("8.0.31");
    }

    public EventScript formatDescription(String serverVersion) {
        FormatDescriptionEvent.write(buf, 0, new EventOrigin(TIME, 1), serverVersion, Checksum.CRC32);
        return feed(FormatDescriptionEvent.LENGTH, true);
    }

    /** Loses the connection in the middle of a transaction, which is sent again. */
    public EventScript reconnect() {
        reader.forgetTransaction();
        reader.streamBegins(true, false, false);
        gno--;
        return rotate("binlog.000001").formatDescription();
    }

    public EventScript gtid() {
        gno++;
        GtidEvent.write(buf, 0, new EventOrigin(TIME, 1), TIME * 1_000_000 + gno, 80031);
        GtidEvent.setSid(buf, 0, SERVER.getMostSignificantBits(), SERVER.getLeastSignificantBits());
        GtidEvent.setGno(buf, 0, gno);
        GtidEvent.setLogicalClock(buf, 0, gno - 1, gno);
        return feed(GtidEvent.LENGTH, true);
    }

    /** A GTID of server 1. */
    EventScript mariadbGtid(int flags, long domain, long sequence, Xid branch) {
        int at = body(EventType.MARIADB_GTID_EVENT, 0);
        LittleEndian.putLong(buf, at, sequence);
        LittleEndian.putU32(buf, at + 8, domain);
        LittleEndian.putU8(buf, at + 12, flags);
        int end = at + 13;
        if ((flags & MariadbGtidEvent.FL_GROUP_COMMIT_ID) != 0) {
            LittleEndian.putLong(buf, end, 77);
            end += Long.BYTES;
        }
        if (branch != null) {
            LittleEndian.putInt(buf, end, branch.formatId());
            LittleEndian.putU8(buf, end + 4, branch.gtrid().length);
            LittleEndian.putU8(buf, end + 5, branch.bqual().length);
            buf.put(end + 6, branch.gtrid());
            buf.put(end + 6 + branch.gtrid().length, branch.bqual());
            end += 6 + branch.gtrid().length + branch.bqual().length;
        }
        while (end < at + 19) {
            LittleEndian.putU8(buf, end++, 0);
        }
        return feed(end, true);
    }

    /** A transaction of MariaDB without relevant changes. */
    EventScript emptyOf(long domain, long sequence) {
        return mariadbGtid(MariadbGtidEvent.FL_TRANSACTIONAL, domain, sequence, null)
                .xid();
    }

    /** All events are of a file with checksums. */
    EventScript file(byte[] bytes) {
        ByteBuffer file = ByteBuffer.wrap(bytes);
        for (int at = EventHeader.FILE_MAGIC_LENGTH; at < bytes.length; at += EventHeader.size(file, at)) {
            reader.event(file, at, EventHeader.size(file, at));
        }
        return this;
    }

    public EventScript begin() {
        QueryEvent.writeBegin(buf, 0, new EventOrigin(TIME, 1), 7);
        return feed(QueryEvent.BEGIN_LENGTH, true);
    }

    public EventScript query(String schema, String text) {
        return query(schema, text, 0);
    }

    /** @param flags flags of the event's header */
    public EventScript query(String schema, String text, int flags) {
        byte[] schemaBytes = schema.getBytes(StandardCharsets.UTF_8);
        byte[] textBytes = text.getBytes(StandardCharsets.UTF_8);
        return feed(
                QueryEvent.write(
                        buf,
                        0,
                        new EventOrigin(TIME, 1),
                        new LoggedStatement(flags, 7, new byte[0], schemaBytes, textBytes)),
                true);
    }

    public EventScript xid() {
        XidEvent.write(buf, 0, new EventOrigin(TIME, 1), 12);
        return feed(XidEvent.LENGTH, true);
    }

    public EventScript xaPrepare(Xid xid, boolean onePhase) {
        return feed(XaPrepareEvent.write(buf, 0, new EventOrigin(TIME, 1), onePhase, xid), true);
    }

    /** A table map of one INT column. */
    public EventScript tableMap(long id, String schema, String table) {
        int at = body(EventType.TABLE_MAP_EVENT, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, 1);
        at = name(at + 8, schema);
        at = name(at, table);
        for (int b : new int[] {1, 3, 0, 0}) {
            LittleEndian.putU8(buf, at++, b);
        }
        return feed(at, true);
    }

    /** A write of one row. */
    public EventScript rows(long id, boolean endsStatement) {
        int at = body(EventType.WRITE_ROWS_EVENT, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, endsStatement ? 1 : 0);
        at += 8;
        for (int b : new int[] {2, 0, 1, 0xff, 0, 42, 0, 0, 0}) {
            LittleEndian.putU8(buf, at++, b);
        }
        return feed(at, true);
    }

    /** A write of one row without its column. */
    public EventScript partialRows(long id) {
        int at = body(EventType.WRITE_ROWS_EVENT, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, 1);
        at += 8;
        for (int b : new int[] {2, 0, 1, 0, 0}) {
            LittleEndian.putU8(buf, at++, b);
        }
        return feed(at, true);
    }

    /** A write of this many bytes. */
    public EventScript largeRows(long id, int bytes) {
        buf = ByteBuffer.allocateDirect(bytes + (1 << 16));
        int at = body(EventType.WRITE_ROWS_EVENT, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, 0);
        at += 8;
        for (int b : new int[] {2, 0, 1, 0xff}) {
            LittleEndian.putU8(buf, at++, b);
        }
        for (int i = 0; i < bytes; i++) {
            buf.put(at + i, (byte) (i * 31));
        }
        return feed(at + bytes, true);
    }

    /** As {@link #rows}, in the form of MariaDB and old servers. */
    EventScript rowsOfVersion1(long id, boolean endsStatement) {
        int at = body(EventType.WRITE_ROWS_EVENT_V1, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, endsStatement ? 1 : 0);
        at += 8;
        for (int b : new int[] {1, 0xff, 0, 42, 0, 0, 0}) {
            LittleEndian.putU8(buf, at++, b);
        }
        return feed(at, true);
    }

    /** A row that is inserted into the marker table: an INT and a BIGINT. */
    EventScript marker(long id, long... tsos) {
        tableMapOf(id, "tributary", "commit_tso", 3, 8);
        int at = body(EventType.WRITE_ROWS_EVENT, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, 1);
        at += 8;
        for (int b : new int[] {2, 0, 2, 0xff}) {
            LittleEndian.putU8(buf, at++, b);
        }
        for (long tso : tsos) {
            LittleEndian.putU8(buf, at, 0);
            LittleEndian.putInt(buf, at + 1, 7);
            LittleEndian.putLong(buf, at + 5, tso);
            at += 13;
        }
        return feed(at, true);
    }

    /** A table map of columns of these types; their metadata are zeros. */
    EventScript tableMapOf(long id, String schema, String table, int... types) {
        int at = body(EventType.TABLE_MAP_EVENT, 0);
        LittleEndian.putU48(buf, at, id);
        LittleEndian.putU16(buf, at + 6, 1);
        at = name(at + 8, schema);
        at = name(at, table);
        LittleEndian.putU8(buf, at++, types.length);
        for (int type : types) {
            LittleEndian.putU8(buf, at++, type);
        }
        int metadata = Arrays.stream(types).map(ColumnType::metadataLength).sum();
        LittleEndian.putU8(buf, at++, metadata);
        for (int i = 0; i <= metadata; i++) { // then the null bits
            LittleEndian.putU8(buf, at++, 0);
        }
        return feed(at, true);
    }

    /** The number of tokens that wait in the order, from the metrics. */
    String scrape() {
        tokenOrder.release();
        return metrics.scrape();
    }

    /** An event of any type with zeros for a body. */
    public EventScript raw(int type, int flags, int bodyLength) {
        int at = body(type, flags);
        for (int i = 0; i < bodyLength; i++) {
            LittleEndian.putU8(buf, at++, 0);
        }
        return feed(at, true);
    }

    private int body(int type, int flags) {
        EventHeader.write(buf, 0, new EventOrigin(TIME, 1), type, 0);
        EventHeader.setFlags(buf, 0, flags);
        return EventHeader.LENGTH;
    }

    private int name(int at, String name) {
        LittleEndian.putU8(buf, at, name.length());
        buf.put(at + 1, name.getBytes(StandardCharsets.UTF_8));
        LittleEndian.putU8(buf, at + 1 + name.length(), 0);
        return at + name.length() + 2;
    }

    /** These events in one compressed event. */
    public EventScript compressed(Consumer<EventScript> events) {
        inside = new ByteArrayOutputStream();
        events.accept(this);
        byte[] plain = inside.toByteArray();
        inside = null;
        byte[] packed = Zstd.compress(plain);
        buf = ByteBuffer.allocateDirect(packed.length + (1 << 16));
        int at = body(EventType.TRANSACTION_PAYLOAD_EVENT, 0);
        at = field(at, 2, 0); // zstd
        at = field(at, 3, plain.length);
        at = field(at, 1, packed.length);
        LittleEndian.putU8(buf, at, 0);
        buf.put(at + 1, packed);
        return feed(at + 1 + packed.length, true);
    }

    private int field(int at, int type, long value) {
        LittleEndian.putU8(buf, at, type);
        LittleEndian.putU8(buf, at + 1, PackedInteger.length(value));
        return PackedInteger.put(buf, at + 2, value);
    }

    private EventScript feed(int length, boolean inFile) {
        if (inside != null) {
            EventHeader.setSize(buf, 0, length);
            byte[] event = new byte[length];
            buf.get(0, event);
            inside.writeBytes(event);
            return this;
        }
        int size = length + Checksum.LENGTH;
        offset += inFile ? size : 0;
        EventHeader.setSize(buf, 0, size);
        EventHeader.setLogPos(buf, 0, inFile ? offset : 0);
        checksum.append(buf, 0);
        reader.event(buf, 0, size);
        return this;
    }

    /** Approximate size of the kept tables on the heap, bytes. */
    public long tablesHeapBytes() {
        return tables.heapBytes();
    }

    public List<SeenToken> tokens() {
        List<SeenToken> tokens = new ArrayList<>();
        for (Token token = link.poll(); token != null; token = link.poll()) {
            tokens.add(SeenToken.take(token));
        }
        return tokens;
    }

    @Override
    public void close() {
        tokens();
        reader.close();
        store.close();
    }
}
