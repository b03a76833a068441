package io.tributary.collector;

import io.tributary.collector.rows.CollectorStore;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.config.ByteSize;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.metric.Metrics;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.TableMapEvent;
import io.tributary.schema.list.TableTexts;
import io.tributary.store.HeldTokens;
import io.tributary.store.JournalMap;
import io.tributary.store.PayloadStore;
import io.tributary.store.SpillLimits;
import io.tributary.store.StoreConfig;
import io.tributary.store.StoreMemory;
import io.tributary.store.StoreMode;
import io.tributary.store.TableShapeStore;
import io.tributary.testkit.order.NamedTables;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Schema changes for tests: statements, and the state that an order needs. */
public final class TestSchema {
    private TestSchema() {}

    /** The state for an order from this cut, in which each shard has these tables of schema shop. */
    public static SchemaOrder listed(Cut cut, String... tables) {
        SchemaOrder schema = SchemaOrder.of(cut, 0, TimeUnit.MINUTES.toNanos(1));
        for (int shard = 0; shard < cut.shards().size(); shard++) {
            list(schema, shard, tables);
        }
        return schema;
    }

    /** A shard has these tables of schema shop. */
    public static void list(SchemaOrder schema, int shard, String... tables) {
        schema.changes().tables(shard, tables(tables));
    }

    /** These tables of schema shop, each with its own name. */
    public static ShardTables tables(String... tables) {
        return names(
                GtidSet.EMPTY,
                Arrays.stream(tables)
                        .map(table -> new TableName("shop", table))
                        .map(name -> new ShardTables.Name(name, name))
                        .toList());
    }

    /** Names without definitions. */
    public static ShardTables names(GtidSet executed, List<ShardTables.Name> names) {
        return new ShardTables(
                ServerVersion.STANDARD,
                new ShardTables.ReadSpan(executed, executed),
                names,
                TableTexts.NONE,
                List.of());
    }

    /** A statement of one part on a table of schema shop. */
    public static Ddl ddl(DdlKind kind, String id, Effect effect, String table) {
        return ddl(kind, id, effect, new TableName("shop", table), new TableName("shop", table));
    }

    /** A statement of one part. */
    public static Ddl ddl(DdlKind kind, String id, Effect effect, TableName logical, TableName physical) {
        boolean reshapes = kind == DdlKind.FORWARD || kind == DdlKind.NEW;
        Ddl.Part part = new Ddl.Part(kind, id, reshapes, false, List.of(new Ddl.Target(effect, logical, physical)));
        return new Ddl("DDL", id + " on " + physical, List.of(part));
    }

    /** ALTER TABLE that changes columns. */
    public static Ddl alter(String id, String table) {
        return ddl(DdlKind.FORWARD, id, Effect.CHANGES, table);
    }

    /** The store of a collector, all of it in memory. */
    public static CollectorStore store() {
        return store(payloads());
    }

    /** Payloads in memory. */
    public static PayloadStore payloads() {
        return new PayloadStore(
                new StoreConfig(
                        new StoreMemory(new ByteSize(16 << 20), new ByteSize(64 << 10)),
                        new SpillLimits(new ByteSize(8 << 20), new ByteSize(4 << 20), 90, new ByteSize(64 << 20)),
                        new ByteSize(1 << 20),
                        Path.of("unused"),
                        StoreMode.MEMORY),
                new Metrics());
    }

    /** The store of a collector with these payloads. */
    public static CollectorStore store(PayloadStore payloads) {
        return store(payloads, JournalMap.onHeap());
    }

    /** The store of a collector with these payloads and this journal. */
    public static CollectorStore store(PayloadStore payloads, JournalMap journal) {
        long[] lastId = {1000};
        return new CollectorStore(
                TableShapeStore.onHeap(),
                shard -> HeldTokens.unbounded(),
                () -> payloads.appender("rewritten"),
                (view, at, end, physical) ->
                        NamedTables.table(++lastId[0], TableMapEvent.schema(view, at), TableMapEvent.table(view, at)),
                journal);
    }
}
