package io.tributary.testkit.check;

import com.github.luben.zstd.ZstdInputStream;
import io.tributary.common.gtid.Gtid;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** Assembles events to transactions, as a replica does. */
public final class TransactionAssembler {
    private static final int PAYLOAD_END = 0;
    private static final int PAYLOAD_COMPRESSION = 2;
    private static final int NOT_COMPRESSED = 255;

    private final RowsDecoder rows = new RowsDecoder();
    private final List<RowChange> changes = new ArrayList<>();
    private final List<String> queries = new ArrayList<>();
    private BinlogEvent gtid;
    private TransactionKind kind;
    private String xid = "";
    private boolean begun;
    private long hash;

    /** Accepts the next event; returns a transaction if this event ends one. */
    public Optional<BinlogTransaction> accept(BinlogEvent event) throws BinlogDamage {
        switch (event.type()) {
            case BinlogEvent.GTID, BinlogEvent.ANONYMOUS_GTID, MariadbForm.GTID -> start(event);
            case BinlogEvent.GTID_TAGGED -> throw damage(event, "a tagged GTID, which this checker does not support");
            case BinlogEvent.FORMAT_DESCRIPTION,
                    BinlogEvent.PREVIOUS_GTIDS,
                    MariadbForm.GTID_LIST,
                    MariadbForm.BINLOG_CHECKPOINT,
                    BinlogEvent.ROTATE,
                    BinlogEvent.STOP,
                    BinlogEvent.HEARTBEAT,
                    BinlogEvent.HEARTBEAT_V2 -> outside(event);
            default -> {
                if (event.isOfDataNode()) {
                    return Optional.empty();
                }
                if (!event.isIgnorable() || event.type() == BinlogEvent.ROWS_QUERY) {
                    addToHash(event);
                    inside(event);
                } else if (gtid != null) {
                    throw damage(event, "an ignorable event inside a transaction");
                }
            }
        }
        return kind == null ? Optional.empty() : Optional.of(finish(event));
    }

    /** Whether a transaction has begun and not ended. */
    public boolean isInside() {
        return gtid != null;
    }

    /** Discards a transaction that has begun, as a reader does when its connection is lost. */
    public void reset() {
        gtid = null;
        kind = null;
        xid = "";
        begun = false;
        hash = 0;
        changes.clear();
        queries.clear();
        rows.forgetTables();
    }

    private void outside(BinlogEvent event) throws BinlogDamage {
        boolean alive = event.type() == BinlogEvent.HEARTBEAT
                || event.type() == BinlogEvent.HEARTBEAT_V2
                || event.type() == MariadbForm.BINLOG_CHECKPOINT;
        if (gtid != null && !alive) {
            throw damage(event, "event of type " + event.type() + " inside the transaction at " + gtid.place());
        }
    }

    private void start(BinlogEvent event) throws BinlogDamage {
        if (gtid != null) {
            throw damage(event, "a GTID inside the transaction at " + gtid.place());
        }
        gtid = event;
        begun = event.type() == MariadbForm.GTID && MariadbForm.beginsRows(event);
        addToHash(event);
    }

    private void addToHash(BinlogEvent event) {
        hash = Hash.join(hash, Hash.of(event.bytes(), 0, event.bytes().limit()));
    }

    /** Accepts an event of the file, or of a compressed payload, which then has the payload's position. */
    private void inside(BinlogEvent event) throws BinlogDamage {
        if (gtid == null) {
            throw damage(event, "event of type " + event.type() + " outside a transaction");
        }
        if (MariadbForm.isCompressed(event)) {
            inside(MariadbForm.plain(event));
            return;
        }
        switch (event.type()) {
            case BinlogEvent.QUERY -> query(event);
            case BinlogEvent.XID -> kind = TransactionKind.LOCAL;
            case BinlogEvent.XA_PREPARE -> xaPrepare(event.body());
            case BinlogEvent.TABLE_MAP -> rows.tableMap(event);
            case BinlogEvent.WRITE_ROWS_V1,
                    BinlogEvent.UPDATE_ROWS_V1,
                    BinlogEvent.DELETE_ROWS_V1,
                    BinlogEvent.WRITE_ROWS,
                    BinlogEvent.UPDATE_ROWS,
                    BinlogEvent.DELETE_ROWS,
                    BinlogEvent.PARTIAL_UPDATE_ROWS -> changes.addAll(rows.rows(event));
            case BinlogEvent.TRANSACTION_PAYLOAD -> payload(event);
            case BinlogEvent.ROWS_QUERY, MariadbForm.ANNOTATE_ROWS -> {
                return; // the statement's text: only informative
            }
            default -> throw damage(event, "event of type " + event.type() + " in a transaction");
        }
    }

    private void query(BinlogEvent event) {
        ByteBuffer body = event.body();
        int schema = body.get(8) & 0xFF;
        int text = 13 + (body.getShort(11) & 0xFFFF) + schema + 1;
        byte[] bytes = new byte[body.limit() - text];
        body.get(text, bytes);
        String sql = new String(bytes, StandardCharsets.UTF_8);
        String verb = sql.length() > 12 ? sql.substring(0, 12).toUpperCase(Locale.ROOT) : sql.toUpperCase(Locale.ROOT);
        if (verb.equals("BEGIN") || verb.startsWith("XA START ")) {
            begun = true;
        } else if (verb.equals("COMMIT") || verb.equals("ROLLBACK")) {
            kind = TransactionKind.LOCAL;
        } else if (verb.startsWith("XA COMMIT ")) {
            end(TransactionKind.XA_COMMITTED, sql.substring(10));
        } else if (verb.startsWith("XA ROLLBACK ")) {
            end(TransactionKind.XA_ROLLED_BACK, sql.substring(12));
        } else if (!verb.startsWith("XA END ")) {
            queries.add(sql);
            kind = begun ? null : TransactionKind.DDL;
        }
    }

    private void end(TransactionKind ended, String name) {
        kind = ended;
        xid = name.toLowerCase(Locale.ROOT).replace("x'", "X'").strip();
    }

    private void xaPrepare(ByteBuffer body) {
        kind = body.get(0) == 0 ? TransactionKind.XA_PREPARED : TransactionKind.XA_ONE_PHASE;
        byte[] gtrid = new byte[body.getInt(5)];
        byte[] bqual = new byte[body.getInt(9)];
        body.get(13, gtrid);
        body.get(13 + gtrid.length, bqual);
        HexFormat hex = HexFormat.of();
        xid = "X'" + hex.formatHex(gtrid) + "',X'" + hex.formatHex(bqual) + "'," + body.getInt(1);
    }

    private void payload(BinlogEvent event) throws BinlogDamage {
        ByteBuffer body = event.body();
        boolean compressed = true;
        for (int field = (int) Packed.read(body); field != PAYLOAD_END; field = (int) Packed.read(body)) {
            int end = (int) Packed.read(body) + body.position();
            if (field == PAYLOAD_COMPRESSION) {
                compressed = Packed.read(body) != NOT_COMPRESSED;
            }
            body.position(end);
        }
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        if (compressed) {
            bytes = decompress(event, bytes);
        }
        ByteBuffer inner = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        int size;
        for (int at = 0; at < bytes.length; at += size) {
            size = inner.getInt(at + 9);
            inside(new BinlogEvent(event.file(), event.offset(), size, inner.slice(at, size)));
        }
    }

    /** Decompresses the payload; its frames do not contain their size. */
    private static byte[] decompress(BinlogEvent event, byte[] bytes) throws BinlogDamage {
        try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(bytes))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw damage(event, "a compressed payload: " + e.getMessage());
        }
    }

    private BinlogTransaction finish(BinlogEvent last) {
        if (gtid.type() == MariadbForm.GTID) {
            return finish(last, MariadbForm.gtid(gtid), 0, 0);
        }
        ByteBuffer body = gtid.body();
        long gno = body.getLong(17);
        ByteBuffer uuid = body.slice(1, 16).order(ByteOrder.BIG_ENDIAN);
        boolean anonymous = gtid.type() == BinlogEvent.ANONYMOUS_GTID;
        return finish(
                last,
                anonymous ? null : new Gtid(new UUID(uuid.getLong(0), uuid.getLong(8)), gno),
                body.getLong(26),
                body.getLong(34));
    }

    private BinlogTransaction finish(BinlogEvent last, Gtid name, long lastCommitted, long sequenceNumber) {
        BinlogTransaction done = new BinlogTransaction(
                name,
                gtid.file(),
                gtid.offset(),
                last.offset() + last.size(),
                lastCommitted,
                sequenceNumber,
                kind,
                xid,
                List.copyOf(queries),
                List.copyOf(changes),
                hash);
        reset();
        return done;
    }

    private static BinlogDamage damage(BinlogEvent event, String what) {
        return new BinlogDamage(event.file(), event.offset(), what);
    }
}
