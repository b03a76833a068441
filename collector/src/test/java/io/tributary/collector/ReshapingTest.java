package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.SchemaChanges;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.schema.list.TableTexts;
import io.tributary.schema.rows.ReshapePlan;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How rows of a member become rows of the output, where the definitions say more than the rows. */
class ReshapingTest {
    private static final TableName TABLE = new TableName("shop", "t");
    private static final int TABLE_ID = 9;

    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final SchemaChanges changes =
            SchemaOrder.of(Tokens.firstCut(2), 0, TimeUnit.MINUTES.toNanos(1)).changes();
    private final Reshaping reshaping =
            new Reshaping(changes, TestSchema.store().shapes());

    private void tables(String create) {
        for (int shard = 0; shard < 2; shard++) {
            TableTexts texts =
                    new TableTexts.Builder().add(physical(shard), create).build();
            changes.tables(
                    shard,
                    new ShardTables(
                            GtidSet.EMPTY,
                            GtidSet.EMPTY,
                            List.of(new ShardTables.Name(TABLE, physical(shard))),
                            texts,
                            List.of()));
        }
    }

    private static TableName physical(int shard) {
        return new TableName("shop", "t_" + shard);
    }

    private void alter(int shard, DdlKind kind, String items) {
        String text = "ALTER TABLE t " + items;
        Ddl.Part part =
                new Ddl.Part(kind, items, true, false, List.of(new Ddl.Target(Effect.CHANGES, TABLE, physical(shard))));
        TestPayload payload = new TestPayload(new AtomicInteger());
        payload.query(text);
        Token token = logs[shard].ddl(new Ddl("ALTER TABLE", text, List.of(part)), payload.inOnePiece());
        changes.received(token);
        changes.process(token);
    }

    /** Of rows with columns a INT and b VARCHAR, as MariaDB's table maps have them. */
    private Reshape reshape(int shard) {
        TestPayload payload = new TestPayload(new AtomicInteger());
        payload.map(TABLE_ID, "shop", "t_" + shard);
        TableRef ref = new TableRef(TABLE_ID, 1, "shop", "t", physical(shard), true);
        return reshaping.of(logs[shard].local(payload.inOnePiece(), ref), ref);
    }

    /** A row of these columns, whose null bits are 0. */
    private byte[] reshaped(Reshape reshape, byte... row) {
        int columns = EventHeader.LENGTH + 10;
        ByteBuffer event = ByteBuffer.allocate(columns + 2 + row.length);
        EventHeader.write(event, 0, 1_700_000_000L, EventType.WRITE_ROWS_EVENT, 77, event.limit(), 0, 0);
        LittleEndian.putU48(event, EventHeader.LENGTH, TABLE_ID);
        LittleEndian.putU16(event, EventHeader.LENGTH + 8, 2); // no more in front of the columns
        event.put(columns, (byte) 2).put(columns + 1, (byte) 3).put(columns + 2, row);
        byte[][] out = {new byte[0]};
        reshaping.rows(event, reshape, (view, from, to) -> {
            int before = out[0].length;
            out[0] = Arrays.copyOf(out[0], before + to - from);
            view.get(from, out[0], before, to - from);
        });
        return Arrays.copyOfRange(out[0], columns + 2, out[0].length);
    }

    @Test
    void rowsOfMariadbLackVirtualColumns() {
        tables("CREATE TABLE t (g INT AS (a + 1) VIRTUAL, a INT, b VARCHAR(20))");
        alter(0, DdlKind.FORWARD, "ADD COLUMN z SMALLINT DEFAULT 7 AFTER a");
        Reshape reshape = reshape(1);
        assertTrue(reshape.isPossible(), reshape::reason);
        assertEquals(
                List.of("COPY", "CONST", "COPY"),
                reshape.plan() instanceof ReshapePlan.Total total ? total.operations() : List.of());
        assertArrayEquals(
                new byte[] {0, 5, 0, 0, 0, 7, 0, 1, 'x'}, reshaped(reshape, new byte[] {0, 5, 0, 0, 0, 1, 'x'}));
    }

    @Test
    void aStoredColumnThatIsComputedInAnotherWayIsNotTakenOver() {
        tables("CREATE TABLE t (a INT, b VARCHAR(20) AS (a) STORED)");
        alter(0, DdlKind.FORWARD, "MODIFY b VARCHAR(20) AS (a + 1) STORED");
        assertTrue(reshape(1).reason().contains("column b of shop.t is computed in another way"), reshape(1)::reason);
    }
}
