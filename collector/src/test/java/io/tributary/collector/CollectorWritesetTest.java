package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.ShardTables;
import io.tributary.collector.writeset.KeyRows;
import io.tributary.common.config.ByteSize;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventType;
import io.tributary.schema.list.TableTexts;
import io.tributary.testkit.ManualClock;
import io.tributary.testkit.order.NamedTables;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** last_committed of the output by the keys of rows: over shards, statements, large transactions, and definitions that become known late. */
class CollectorWritesetTest {
    private static final long SERVER_ID = 4242;
    private static final int SHARDS = 2;
    private static final String CREATE = "CREATE TABLE t (id INT PRIMARY KEY, name VARCHAR(40) NOT NULL)";
    private static final TableRef TABLE = NamedTables.table(1, "shop", "t");
    private static final TableName NAME = new TableName("shop", "t");

    private final AtomicInteger held = new AtomicInteger();
    private final Link<Token> in = new Link<>("merged", 1 << 12, Clock.SYSTEM);
    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final ChunkReader out = new ChunkReader(SERVER_ID);
    private CollectorStages stages;

    private void start(BinlogParallel parallel, int workers) {
        stages = CollectorStages.of(
                TestConfig.refusing(parallel, new BatchConfig(new ByteSize(2000), 3, new ByteSize(3000), workers)),
                new CollectorStages.Origin(SERVER_ID, 80036),
                new OrderStart(OrderMode.XA, Tokens.firstCut(SHARDS)),
                new CollectorLinks(in, out, new RoundRequest(), () -> 5),
                new CollectorResources(TestSchema.store(), new Metrics(), new ManualClock()));
    }

    private void list(TableTexts texts) {
        for (int shard = 0; shard < SHARDS; shard++) {
            ShardTables tables = new ShardTables(
                    ServerVersion.STANDARD,
                    new ShardTables.ReadSpan(GtidSet.EMPTY, GtidSet.EMPTY),
                    List.of(new ShardTables.Name(NAME, NAME)),
                    texts,
                    List.of());
            assertFalse(stages.collector().tables(shard, tables).isCompletedExceptionally());
        }
        run();
    }

    private void run() {
        int done;
        do {
            done = 0;
            for (Stage stage : stages.all()) {
                try {
                    done += stage.doWork();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            }
        } while (done > 0);
    }

    @AfterEach
    void close() {
        stages.all().forEach(Stage::close);
        assertEquals(0, held.get(), "payloads that were not released");
    }

    private TestPayload rows(int type, int... ids) {
        byte[][] images = Arrays.stream(ids)
                .mapToObj(id -> KeyRows.image(KeyRows.integer(id), KeyRows.text("n" + id)))
                .toArray(byte[][]::new);
        ByteBuffer event = KeyRows.event(type, 2, images);
        return new TestPayload(held).map(KeyRows.map(CREATE)).map(event).inOnePiece();
    }

    private void insert(int shard, int... ids) {
        in.put(logs[shard].local(rows(EventType.WRITE_ROWS_EVENT, ids), TABLE));
        run();
    }

    private void delete(int shard, int id) {
        in.put(logs[shard].local(rows(EventType.DELETE_ROWS_EVENT, id), TABLE));
        run();
    }

    private List<Long> lastCommitted() {
        return out.transactions().stream()
                .map(ChunkReader.Transaction::lastCommitted)
                .toList();
    }

    private static TableTexts texts() {
        return new TableTexts.Builder().add(NAME, CREATE).build();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void aRowThatMovesToAnotherShardInTwoTransactionsIsNotReplayedInParallel(int workers) {
        start(BinlogParallel.WRITESET, workers);
        list(texts());
        insert(0, 1);
        insert(0, 2);
        delete(0, 1);
        insert(1, 1);
        insert(1, 3);
        insert(0, 4, 2);
        assertEquals(List.of(0L, 0L, 1L, 3L, 0L, 2L), lastCommitted());
    }

    @Test
    void theClocksOfTheShardsDoNotShowThis() {
        start(BinlogParallel.SHARDS, 1);
        list(texts());
        insert(0, 1);
        delete(0, 1);
        insert(1, 1);
        assertEquals(0, lastCommitted().get(2));
    }

    @Test
    void branchesOfOneTransactionCountTogether() {
        start(BinlogParallel.WRITESET, 1);
        list(texts());
        insert(0, 1);
        insert(1, 2);
        insert(1, 3);
        in.put(logs[0].prepare(Tokens.xid("x", "0"), rows(EventType.DELETE_ROWS_EVENT, 1), TABLE));
        in.put(logs[1].prepare(Tokens.xid("x", "1"), rows(EventType.DELETE_ROWS_EVENT, 2), TABLE));
        in.put(logs[0].commit(Tokens.xid("x", "0")));
        in.put(logs[1].commit(Tokens.xid("x", "1")));
        for (int round = 1; round <= 2; round++) {
            in.put(logs[0].round(round));
            in.put(logs[1].round(round));
        }
        run();
        insert(0, 2);
        insert(0, 4);
        assertEquals(List.of(0L, 0L, 0L, 2L, 4L, 0L), lastCommitted());
    }

    @Test
    void aLargeTransactionIsAlone() {
        start(BinlogParallel.WRITESET, 1);
        list(texts());
        insert(0, 1);
        int[] many = new int[400];
        Arrays.setAll(many, i -> 100 + i);
        insert(0, 2);
        insert(0, many);
        insert(1, 3);
        assertTrue(out.pieces() > 0);
        assertEquals(List.of(0L, 0L, 2L, 3L), lastCommitted());
    }

    @Test
    void aStatementIsAlone() {
        start(BinlogParallel.WRITESET, 1);
        list(texts());
        insert(0, 1);
        insert(0, 2);
        var ddl = TestSchema.alter("d", "t");
        in.put(logs[0].ddl(ddl, new TestPayload(held).query("ALTER TABLE t FORCE")));
        in.put(logs[1].ddl(ddl, new TestPayload(held).query("ALTER TABLE t FORCE")));
        run();
        insert(1, 3);
        insert(1, 4);
        assertEquals(List.of(0L, 0L, 2L, 3L, 3L), lastCommitted());
    }

    @Test
    void withoutADefinitionItDependsAsItsShardReportsAndOnTheTransactionOfItsTableBefore() {
        start(BinlogParallel.WRITESET, 1);
        list(TableTexts.NONE);
        insert(0, 1);
        insert(1, 2);
        assertEquals(List.of(0L, 1L), lastCommitted());
    }

    @Test
    void aDefinitionThatBecomesKnownSeparatesTheTransactionsBefore() {
        start(BinlogParallel.WRITESET, 1);
        insert(0, 1);
        insert(1, 2);
        list(texts());
        insert(1, 3);
        insert(1, 4);
        assertEquals(List.of(0L, 1L, 2L, 2L), lastCommitted());
    }
}
