package io.tributary.collector.rows;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.TestMap;
import io.tributary.collector.TestPayload;
import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.schema.SchemaChanges;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.TableTexts;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests how rows of a member are converted to rows of the output if that depends on the definitions. */
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
                            ServerVersion.STANDARD,
                            new ShardTables.ReadSpan(GtidSet.EMPTY, GtidSet.EMPTY),
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

    private Reshape reshape(int shard, String create) {
        TableDefinition definition = DefinitionReader.create(
                        create, ReadSession.standard("shop"), other -> Optional.empty())
                .orElseThrow();
        TestPayload payload =
                new TestPayload(new AtomicInteger()).map(TestMap.of(TABLE_ID, physical(shard), definition));
        TableRef ref = new TableRef(TABLE_ID, 1, new TableName("shop", "t"), physical(shard), true);
        return reshaping.of(logs[shard].local(payload.inOnePiece(), ref), ref);
    }

    @Test
    void aStoredColumnWithAnotherGenerationExpressionIsRefused() {
        String create = "CREATE TABLE t (a INT, b VARCHAR(20) AS (a) STORED)";
        tables(create);
        alter(0, DdlKind.FORWARD, "MODIFY b VARCHAR(20) AS (a + 1) STORED");
        Reshape reshape = reshape(1, create);
        assertTrue(reshape.reason().contains("column b of shop.t has another generation expression"), reshape::reason);
    }
}
