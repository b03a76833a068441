package io.tributary.testkit.check;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.MariadbGtids;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.InflaterInputStream;

/** Decodes MariaDB's own events: GTIDs and compressed events. Source: MariaDB's manual, pages "GTID_EVENT" and "Compressing Events". */
final class MariadbForm {
    static final int ANNOTATE_ROWS = 160;
    static final int BINLOG_CHECKPOINT = 161;
    static final int GTID = 162;
    static final int GTID_LIST = 163;
    private static final int QUERY_COMPRESSED = 165;
    private static final int WRITE_ROWS_COMPRESSED_V1 = 166;
    private static final int UPDATE_ROWS_COMPRESSED_V1 = 167;
    private static final int WRITE_ROWS_COMPRESSED = 169;
    private static final int UPDATE_ROWS_COMPRESSED = 170;
    private static final int DELETE_ROWS_COMPRESSED = 171;

    private static final int STANDALONE = 1;
    private static final int COMPLETED_XA = 128;

    private MariadbForm() {}

    static boolean isCompressed(BinlogEvent event) {
        return event.type() >= QUERY_COMPRESSED && event.type() <= DELETE_ROWS_COMPRESSED;
    }

    /** Whether rows follow the GTID without BEGIN or XA START. */
    static boolean beginsRows(BinlogEvent gtid) {
        return (gtid.body().get(12) & (STANDALONE | COMPLETED_XA)) == 0;
    }

    static Gtid gtid(BinlogEvent event) {
        ByteBuffer body = event.body();
        return new Gtid(MariadbGtids.sid(body.getInt(8) & 0xffff_ffffL, event.serverId()), body.getLong(0));
    }

    /** The event in its uncompressed form. */
    static BinlogEvent plain(BinlogEvent event) throws BinlogDamage {
        ByteBuffer body = event.body();
        int from = packedAt(event.type(), body);
        int lengthBytes = body.get(from) & 7;
        byte[] packed = new byte[body.limit() - from - 1 - lengthBytes];
        body.get(from + 1 + lengthBytes, packed);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] head = new byte[BinlogEvent.HEADER + from];
        event.bytes().get(0, head);
        head[4] = (byte) plainType(event.type());
        plain.writeBytes(head);
        try (InflaterInputStream in = new InflaterInputStream(new ByteArrayInputStream(packed))) {
            in.transferTo(plain);
        } catch (IOException e) {
            throw new BinlogDamage(event.file(), event.offset(), "a compressed event: " + e.getMessage());
        }
        return new BinlogEvent(event.file(), event.offset(), event.size(), ByteBuffer.wrap(plain.toByteArray()));
    }

    private static int plainType(int type) {
        if (type == QUERY_COMPRESSED) {
            return BinlogEvent.QUERY;
        }
        return type < WRITE_ROWS_COMPRESSED
                ? BinlogEvent.WRITE_ROWS_V1 + type - WRITE_ROWS_COMPRESSED_V1
                : BinlogEvent.WRITE_ROWS + type - WRITE_ROWS_COMPRESSED;
    }

    private static int packedAt(int type, ByteBuffer body) {
        if (type == QUERY_COMPRESSED) {
            return 13 + (body.getShort(11) & 0xFFFF) + (body.get(8) & 0xFF) + 1;
        }
        ByteBuffer width = body.duplicate().order(body.order());
        width.position(type < WRITE_ROWS_COMPRESSED ? 8 : 8 + (body.getShort(8) & 0xFFFF));
        int columns = (int) Packed.read(width);
        boolean isUpdate = type == UPDATE_ROWS_COMPRESSED_V1 || type == UPDATE_ROWS_COMPRESSED;
        return width.position() + (columns + 7) / 8 * (isUpdate ? 2 : 1);
    }
}
