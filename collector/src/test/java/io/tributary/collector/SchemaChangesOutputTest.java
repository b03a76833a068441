package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.SchemaItem;
import io.tributary.common.config.ByteSize;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.metric.Metrics;
import io.tributary.common.order.OrderMode;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Link;
import io.tributary.common.pipeline.RoundRequest;
import io.tributary.common.pipeline.Stage;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.testkit.ManualClock;
import io.tributary.testkit.order.NamedTables;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The content of chunks for statements with several parts or with rows, and for rows that are left out or renamed. */
class SchemaChangesOutputTest {
    private static final long SERVER_ID = 4242;
    private static final TableName T = new TableName("shop", "t");
    private static final TableRef TABLE = NamedTables.table(12, "shop", "t");
    private static final TableRef OTHER = NamedTables.table(13, "shop", "t");
    private static final Ddl CREATE = TestSchema.ddl(DdlKind.NEW, "create-t", Effect.CREATES, "t");

    private final AtomicInteger held = new AtomicInteger();
    private final Link<Token> in = new Link<>("merged", 1 << 10, Clock.SYSTEM);
    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final ManualClock clock = new ManualClock();
    private final ChunkReader out = new ChunkReader(SERVER_ID);
    private final CollectorStages stages = stages(Tokens.firstCut(2));

    private CollectorStages stages(Cut start) {
        CollectorConfig config = TestConfig.refusing(new ByteSize(4096), 10, new ByteSize(20_000), 1);
        return CollectorStages.of(
                config,
                new CollectorStages.Origin(SERVER_ID, 80036),
                new OrderStart(OrderMode.XA, start),
                new CollectorLinks(in, out, new RoundRequest(), () -> 5),
                new CollectorResources(TestSchema.store(), new Metrics(), clock));
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

    private void close() {
        stages.all().forEach(Stage::close);
        assertEquals(0, held.get(), "payloads that were not released");
    }

    private void listed(String... tables) {
        for (int shard = 0; shard < logs.length; shard++) {
            assertTrue(
                    !stages.collector().tables(shard, TestSchema.tables(tables)).isCompletedExceptionally());
        }
        run();
    }

    private TestPayload query() {
        return new TestPayload(held).event(EventType.QUERY_EVENT, 1, 0, 40);
    }

    private TestPayload rows() {
        return new TestPayload(held)
                .map(12, "shop", "t")
                .event(EventType.WRITE_ROWS_EVENT, 12, 1, 30)
                .inOnePiece();
    }

    private static TestPayload withRows(TestPayload statement, int table, int bytes) {
        return statement
                .map(table, "shop", "t")
                .event(EventType.WRITE_ROWS_EVENT, table, 1, bytes)
                .inOnePiece();
    }

    private Token createSelect(int shard, TestPayload payload, TableRef table) {
        return logs[shard].ddl(CREATE, payload).withPayload(payload, List.of(table));
    }

    /** Bytes of the first events, and of the rest. */
    private static byte[] part(TestPayload payload, int from, int to) {
        return Arrays.copyOfRange(payload.bytes(), from, to);
    }

    private List<Boolean> kinds() {
        return out.transactions().stream().map(each -> each.isDdl()).toList();
    }

    @Test
    void createSelectIsAStatementAndThenATransaction() {
        listed();
        int statement = 27 + 40;
        TestPayload payload = withRows(query(), 12, 30);
        in.put(createSelect(0, payload, TABLE));
        run();
        assertEquals(List.of(true, false), kinds());
        assertArrayEquals(part(payload, 0, statement), out.transactions().get(0).payload());
        assertArrayEquals(
                part(payload, statement, (int) payload.length()),
                out.transactions().get(1).payload());
        assertEquals(1, out.transactions().get(1).lastCommitted());
        Cut last = out.cuts().get(out.cuts().size() - 1);
        assertEquals(2, last.transactions());
        assertEquals(12, last.tableIds());
        assertTrue(out.cuts().stream().noneMatch(cut -> cut.transactions() == 1), "no cut between them");
        close();
    }

    @Test
    void createSelectOfAnExistingTableIsOnlyItsRows() {
        listed();
        in.put(createSelect(0, withRows(query(), 12, 30), TABLE));
        TestPayload second = withRows(query(), 12, 31);
        in.put(createSelect(1, second, TABLE));
        run();
        assertEquals(List.of(true, false, false), kinds());
        assertArrayEquals(
                part(second, 27 + 40, (int) second.length()),
                out.transactions().get(2).payload());
        close();
    }

    @Test
    void manyRowsOfCreateSelectAreSentInPiecesAfterTheirStatement() {
        listed();
        TestPayload payload = withRows(query(), 12, 300_000);
        in.put(createSelect(1, payload, TABLE));
        in.put(logs[1].local(rows(), TABLE));
        run();
        assertTrue(out.pieces() > 0);
        assertEquals(List.of(true, false, false), kinds());
        assertArrayEquals(
                part(payload, 27 + 40, (int) payload.length()),
                out.transactions().get(1).payload());
        close();
    }

    @Test
    void rowsOfCreateSelectInAnotherShapeHoldTheirShard() throws Exception {
        listed();
        in.put(createSelect(0, withRows(query(), 12, 30), TABLE));
        in.put(createSelect(1, withRows(query(), 13, 30), OTHER));
        run();
        clock.pass(Duration.ofMillis(300));
        run();
        assertEquals(List.of(true, false), kinds());
        SchemaItem item = stages.collector().schemaItems().get(0);
        assertEquals(ErrorCode.SCHEMA_MIXED, item.code());
        var ordered = stages.collector().execute(new DdlDecision(DdlDecision.Verb.SKIP, item.id(), "", false));
        run();
        assertTrue(ordered.isDone());
        clock.pass(Duration.ofSeconds(1));
        run();
        assertEquals(List.of(true, false), kinds(), "its rows are left out");
        assertEquals(
                1,
                out.cuts().get(out.cuts().size() - 1).shards().get(1).leftOut().count());
        close();
    }

    @Test
    void rowsOfCreateSelectInASchemaThatWasDroppedAreLeftOut() {
        TableName schema = new TableName("shop", "");
        Ddl drop = TestSchema.ddl(DdlKind.WAIT, "drop-schema", Effect.REMOVES, schema, schema);
        listed("u", "");
        in.put(logs[0].ddl(drop, query().inOnePiece()));
        run();
        var ordered = stages.collector().execute(new DdlDecision(DdlDecision.Verb.EMIT, "drop-schema", "", true));
        run();
        assertTrue(ordered.isDone());
        in.put(createSelect(1, withRows(query(), 12, 30), TABLE));
        in.put(logs[1].ddl(drop, query().inOnePiece()));
        run();
        assertEquals(List.of(true), kinds());
        close();
    }

    @Test
    void aStatementOfTwoPartsIsTwoTransactionsBeforeOneCut() {
        listed("t", "u");
        TableName u = new TableName("shop", "u");
        Part first = new Part(DdlKind.FORWARD, "alter-t", true, false, List.of(new Target(Effect.CHANGES, T)));
        Part second = new Part(DdlKind.EARLY, "alter-u", false, false, List.of(new Target(Effect.CHANGES, u)));
        Ddl both = new Ddl("ALTER", "both", List.of(first, second));
        int cuts = out.cuts().size();
        TestPayload payload = query().event(EventType.QUERY_EVENT, 2, 0, 50).inOnePiece();
        in.put(logs[0].ddl(both, payload));
        run();
        assertEquals(List.of(true, true), kinds());
        assertArrayEquals(part(payload, 0, 67), out.transactions().get(0).payload());
        assertArrayEquals(part(payload, 67, 67 + 77), out.transactions().get(1).payload());
        assertEquals(cuts + 1, out.cuts().size());
        in.put(logs[1].ddl(new Ddl("ALTER", "one", List.of(second)), query().inOnePiece()));
        in.put(logs[1].ddl(both, query().event(EventType.QUERY_EVENT, 2, 0, 50).inOnePiece()));
        run();
        assertEquals(List.of(true, true, true), kinds(), "of the two parts only the second is new");
        close();
    }

    @Test
    void idsOfRenamedTablesAreInTheCut() {
        listed("t");
        TableName u = new TableName("shop", "u");
        Ddl rename = new Ddl(
                "RENAME TABLE",
                "rename",
                List.of(new Part(
                        DdlKind.FORWARD,
                        "rename-t",
                        false,
                        false,
                        List.of(new Target(Effect.RENAMES, T), new Target(Effect.BECOMES, u)))));
        in.put(logs[0].ddl(rename, query().inOnePiece()));
        in.put(logs[1].local(rows(), TABLE));
        run();
        assertEquals(List.of(true, false), kinds());
        ByteBuffer written = ByteBuffer.wrap(out.transactions().get(1).payload());
        assertEquals("u", TableMapEvent.table(written, 0));
        assertEquals(
                TableMapEvent.tableId(written, 0),
                out.cuts().get(out.cuts().size() - 1).tableIds());
        close();
    }

    @Test
    void aStatementWithoutATokenIsWrittenToo() {
        listed("t");
        Ddl unique = TestSchema.ddl(DdlKind.LATE, "unique-t", Effect.CHANGES, "t");
        TestPayload payload = query().inOnePiece();
        byte[] bytes = payload.bytes();
        in.put(logs[0].ddl(unique, payload));
        run();
        assertEquals(List.of(), kinds());
        var ordered = stages.collector().execute(new DdlDecision(DdlDecision.Verb.DONE, "unique-t", "", false));
        run();
        assertTrue(ordered.isDone());
        assertEquals(List.of(true), kinds());
        assertArrayEquals(bytes, out.transactions().get(0).payload());
        close();
    }
}
