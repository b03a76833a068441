package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

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
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.list.TableTexts;
import io.tributary.store.JournalMap;
import io.tributary.testkit.ManualClock;
import io.tributary.testkit.order.NamedTables;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A collector with {@code binlog.parallel=writeset} and two shards. All tables are in schema shop and have INT columns only. Rows and statements are
 * processed at once; each method that writes returns the number of the last transaction of the output.
 */
final class WritesetOutput implements AutoCloseable {
    static final int SHARDS = 2;
    private static final long SERVER_ID = 4242;

    private final AtomicInteger held = new AtomicInteger();
    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final JournalMap journal = JournalMap.onHeap();
    private final Map<String, Long> ids = new HashMap<>();
    private final Map<TableName, String> answers = new HashMap<>();
    private final List<Long> lastCommitted = new ArrayList<>();
    private Link<Token> in;
    private ChunkReader out;
    private CollectorStages stages;
    private int statements;

    WritesetOutput() {
        begin(Tokens.firstCut(SHARDS));
    }

    private void begin(Cut start) {
        in = new Link<>("merged", 1 << 12, Clock.SYSTEM);
        out = new ChunkReader(SERVER_ID);
        stages = CollectorStages.of(
                TestConfig.refusing(
                        BinlogParallel.WRITESET, new BatchConfig(new ByteSize(2000), 3, new ByteSize(3000), 1)),
                new CollectorStages.Origin(SERVER_ID, 80036),
                new OrderStart(OrderMode.XA, start),
                new CollectorLinks(in, out, new RoundRequest(), () -> 5),
                new CollectorResources(
                        TestSchema.store(TestSchema.payloads(), journal), new Metrics(), new ManualClock()));
        stages.collector()
                .definitions((shard, physical) ->
                        CompletableFuture.completedFuture(Optional.ofNullable(answers.get(physical))
                                .map(text -> new ReportedTable(ServerVersion.STANDARD, text))));
        run();
    }

    /** Ends the collector and begins another one after its last cut; the shards have to be listed again. */
    void restart() {
        List<Cut> cuts = out.cuts();
        close();
        begin(cuts.get(cuts.size() - 1));
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
        out.transactions().stream()
                .filter(each -> each.gno() > lastCommitted.size())
                .forEach(each -> lastCommitted.add(each.lastCommitted()));
    }

    @Override
    public void close() {
        stages.all().forEach(Stage::close);
        assertEquals(0, held.get(), "payloads that were not released");
    }

    // ---- lists of tables

    /** Each shard has these tables, by CREATE TABLE. */
    WritesetOutput listed(String... creates) {
        for (int shard = 0; shard < SHARDS; shard++) {
            list(shard, creates);
        }
        return this;
    }

    /** A shard has these tables. */
    void list(int shard, String... creates) {
        TableTexts.Builder texts = new TableTexts.Builder();
        List<ShardTables.Name> names = new ArrayList<>();
        for (String create : creates) {
            TableName name = KeyRows.nameOf(create);
            names.add(new ShardTables.Name(name, name));
            texts.add(name, create);
        }
        list(shard, names, texts.build());
    }

    /** A shard has tables with these names and definitions. */
    void list(int shard, List<ShardTables.Name> names, TableTexts texts) {
        GtidSet executed = logs[shard].executed();
        ShardTables tables = new ShardTables(
                ServerVersion.STANDARD, new ShardTables.ReadSpan(executed, executed), names, texts, List.of());
        assertFalse(stages.collector().tables(shard, tables).isCompletedExceptionally());
        run();
    }

    /** From now on shards answer with this text when they are asked for a table. */
    void answers(TableName physical, String create) {
        answers.put(physical, create);
    }

    // ---- statements, on one shard after the other

    long create(String create) {
        return statement(new Statement(DdlKind.NEW, true, create), new Target(Effect.CREATES, KeyRows.nameOf(create)));
    }

    long drop(String table) {
        return statement(
                new Statement(DdlKind.WAIT, true, "DROP TABLE shop." + table),
                new Target(Effect.REMOVES, KeyRows.name(table)));
    }

    /** RENAME TABLE with these names: from, to, from, to, ... */
    long rename(String... names) {
        List<String> steps = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        for (int i = 0; i < names.length; i += 2) {
            steps.add("shop." + names[i] + " TO shop." + names[i + 1]);
            targets.add(new Target(Effect.RENAMES, KeyRows.name(names[i])));
            targets.add(new Target(Effect.BECOMES, KeyRows.name(names[i + 1])));
        }
        boolean isOne = names.length == 2;
        return statement(
                new Statement(
                        isOne ? DdlKind.FORWARD : DdlKind.WAIT, !isOne, "RENAME TABLE " + String.join(", ", steps)),
                targets.toArray(Target[]::new));
    }

    long alter(DdlKind kind, boolean reshapes, String table, String items) {
        return statement(
                new Statement(kind, reshapes, "ALTER TABLE shop." + table + " " + items),
                new Target(Effect.CHANGES, KeyRows.name(table)));
    }

    /** How a statement is written, and its text. */
    record Statement(DdlKind kind, boolean reshapes, String text) {}

    long statement(Statement statement, Target... targets) {
        return statement(List.of(logs), statement, targets);
    }

    /** The same on the first shard only. */
    long statementOfFirst(Statement statement, Target... targets) {
        return statement(List.of(logs[0]), statement, targets);
    }

    private long statement(List<Tokens> shards, Statement statement, Target... targets) {
        Part part = new Part(statement.kind(), "d" + ++statements, statement.reshapes(), false, List.of(targets));
        Ddl ddl = new Ddl("DDL", statement.text(), List.of(part));
        for (Tokens log : shards) {
            in.put(log.ddl(ddl, new TestPayload(held).query(statement.text())));
        }
        run();
        return lastCommitted.size();
    }

    // ---- rows

    /** Inserts a row of INT values into the table of a shard with this definition. */
    long insert(int shard, String create, Integer... values) {
        TableName name = KeyRows.nameOf(create);
        return insert(shard, name, create, values);
    }

    /** The same for a table with another name on the shard. */
    long insert(int shard, TableName physical, String create, Integer... values) {
        long id = ids.computeIfAbsent(physical + create, any -> 1L + ids.size());
        byte[][] row = Arrays.stream(values)
                .map(value -> value == null ? null : KeyRows.integer(value))
                .toArray(byte[][]::new);
        ByteBuffer map = KeyRows.map(create);
        ByteBuffer event = KeyRows.event(EventType.WRITE_ROWS_EVENT, row.length, KeyRows.image(row));
        TableMapEvent.setTableId(map, 0, id);
        TableMapEvent.setTableId(event, 0, id);
        TableName logical = KeyRows.nameOf(create);
        TableRef ref = physical.equals(logical)
                ? NamedTables.table(id, logical.schema(), logical.table())
                : new TableRef(id, id, logical, physical, true);
        in.put(logs[shard].local(new TestPayload(held).map(map).map(event).inOnePiece(), ref));
        run();
        return lastCommitted.size();
    }

    // ---- the output

    /** last_committed of a transaction, by its number from 1. */
    long lastCommitted(long number) {
        return lastCommitted.get((int) number - 1);
    }
}
