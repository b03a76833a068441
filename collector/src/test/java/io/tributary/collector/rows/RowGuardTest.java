package io.tributary.collector.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.TestSchema;
import io.tributary.collector.Tokens;
import io.tributary.collector.order.DistributedTransaction;
import io.tributary.collector.order.TransactionSink;
import io.tributary.collector.order.XaOrders;
import io.tributary.collector.order.xa.XaOrder;
import io.tributary.collector.schema.DueStatement;
import io.tributary.collector.schema.SchemaItem;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.DdlDecision;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Question;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.testkit.order.NamedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One shape of a table at a time, and each DDL statement once, also after restarts. */
class RowGuardTest {
    private static final TableRef OLD = NamedTables.table(1, "shop", "t");
    private static final TableRef NEW = NamedTables.table(2, "shop", "t");
    private static final TableRef OTHER = NamedTables.table(3, "shop", "u");
    private static final Ddl ALTER = TestSchema.alter("abc", "t");
    private static final Ddl INDEX = TestSchema.ddl(DdlKind.EARLY, "idx", Effect.CHANGES, "t");

    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final List<Token> ddls = new ArrayList<>();
    private final List<Token> written = new ArrayList<>();
    private Cut cut = Tokens.firstCut(2);
    private XaOrder order;
    private SchemaOrder schema;
    private RowGuard guard;

    RowGuardTest() {
        restart(MixedRows.REFUSE);
    }

    private void restart(MixedRows mixed) {
        cut = order == null ? cut : order.cut(1, cut.number() + 1, 0, 0);
        schema = TestSchema.listed(cut, "t", "u");
        guard = new RowGuard(schema, List.of("s0", "s1"), new DdlRows(mixed, Map.of()), TestSchema.store());
        TransactionSink emission = new TransactionSink() {
            @Override
            public Question questionOf(Token token) {
                return guard.questionOf(token);
            }

            @Override
            public void local(Token token) {
                written.add(token);
            }

            @Override
            public long distributed(DistributedTransaction transaction) {
                return 0;
            }

            @Override
            public void ddl(Token token, boolean[] parts) {
                if (parts[0]) {
                    guard.written(token.ddl().parts().get(0));
                    ddls.add(token);
                }
            }

            @Override
            public void statement(DueStatement statement) {}

            @Override
            public void committed(Token commit, long number) {}
        };
        order = XaOrders.of(cut, schema, emission);
    }

    private Token rows(int shard, TableRef ref) {
        Token token = logs[shard].local(null, ref);
        order.receive(token);
        while (order.process()) {}
        return token;
    }

    private void passes(int shard, TableRef ref) {
        assertTrue(written.contains(rows(shard, ref)));
    }

    private void ddl(int shard, Ddl ddl) {
        order.receive(logs[shard].ddl(ddl, null));
        while (order.process()) {}
    }

    private SchemaItem held(int shard, TableRef ref) {
        Token token = rows(shard, ref);
        assertFalse(written.contains(token));
        SchemaItem held = schema.watch().currentItems(0).stream()
                .filter(item -> item.shard().equals("s" + shard))
                .findFirst()
                .orElseThrow();
        assertEquals(SchemaItem.State.HELD, held.state());
        assertEquals(ErrorCode.SCHEMA_MIXED, held.code());
        assertTrue(held.message().contains("table shop.t"), held.message());
        assertTrue(held.message().contains("shard s" + shard), held.message());
        assertTrue(held.message().contains("binlog.000001"), held.message());
        return held;
    }

    @Test
    void theFirstRowsDefineTheShapeInForce() {
        passes(0, OLD);
        passes(1, OLD);
        passes(1, OTHER);
        held(1, NEW);
        passes(0, OLD);
    }

    @Test
    void aShardThatHadTheDdlBringsTheNewShape() {
        passes(0, OLD);
        ddl(0, ALTER);
        passes(0, NEW);
        ddl(1, ALTER);
        passes(1, NEW);
        assertEquals(1, ddls.size());
        held(0, OLD);
    }

    @Test
    void oldRowsAfterTheDdlHoldTheirShardAlsoWhileTheNewShapeIsUnknown() {
        passes(0, OLD);
        ddl(0, ALTER);
        SchemaItem held = held(1, OLD);
        assertTrue(held.message().contains("DDL abc"), held.message());
    }

    @Test
    void aHeldShardContinuesWhenARowOfAnotherMemberHasItsShape() {
        passes(0, OLD);
        ddl(0, ALTER);
        Token waits = rows(1, OLD);
        assertFalse(written.contains(waits));
        passes(0, OLD); // the statement has changed nothing in the rows
        while (order.process()) {}
        assertTrue(written.contains(waits));
    }

    @Test
    void withoutColumnNamesAMemberThatLacksTheDdlIsHeldWithAnyShape() {
        TableRef unnamed = new TableRef(7, 7, new TableName("shop", "t"), new TableName("shop", "t"), false);
        passes(0, unnamed);
        ddl(0, ALTER);
        passes(0, unnamed);
        held(1, unnamed);
    }

    @Test
    void newRowsFromAShardWithoutTheDdlMustBeOfTheShapeInForce() {
        ddl(0, ALTER);
        passes(0, NEW);
        passes(1, NEW);
        held(1, OLD);
    }

    @Test
    void aDdlThatChangesNoColumnsHoldsNoShard() {
        passes(0, OLD);
        ddl(0, INDEX);
        passes(1, OLD);
        ddl(1, INDEX);
        assertEquals(1, ddls.size());
        held(0, NEW);
    }

    @Test
    void anOperatorLeavesTheRowsOut() {
        passes(0, OLD);
        ddl(0, ALTER);
        SchemaItem held = held(1, OLD);
        schema.watch().execute(new DdlDecision(DdlDecision.Verb.SKIP, held.id(), "", false));
        ddl(1, ALTER);
        assertEquals(List.of(), schema.watch().currentItems(0));
        assertEquals(1, order.cut(1, 9, 0, 0).shards().get(1).leftOut().count());
    }

    @Test
    void aPendingDdlOfTheCutMakesTheShapeUnknown() {
        passes(0, OLD);
        ddl(0, ALTER);
        restart(MixedRows.REFUSE);
        assertEquals(1, cut.schema().pending().size());
        passes(0, NEW);
        passes(1, NEW);
        restart(MixedRows.REFUSE);
        held(1, OLD);
    }

    @Test
    void letsMixedRowsPassIfConfigured() {
        restart(MixedRows.PASS);
        passes(0, OLD);
        ddl(0, ALTER);
        passes(1, OLD);
        passes(0, NEW);
        passes(1, OLD);
    }

    @Test
    void theRuleOfATableEndsAHoldAtOnce() {
        passes(0, OLD);
        ddl(0, ALTER);
        Token waits = rows(1, OLD);
        guard.rules(new DdlRows(MixedRows.REFUSE, Map.of("shop.t", MixedRows.PASS)));
        while (order.process()) {}
        assertTrue(written.contains(waits));
    }

    @Test
    void theKthArrivalBelongsToTheKthEmissionAlsoAfterRestarts() {
        SplittableRandom random = new SplittableRandom(11);
        for (int run = 0; run < 200; run++) {
            ddls.clear();
            long[] arrived = new long[2];
            long most = 0;
            for (int step = 0; step < 30; step++) {
                int shard = random.nextInt(2);
                arrived[shard]++;
                most = Math.max(most, Math.max(arrived[0], arrived[1]));
                ddl(shard, ALTER);
                assertEquals(most, ddls.size());
                if (random.nextInt(4) == 0) {
                    restart(MixedRows.REFUSE);
                }
            }
            while (arrived[0] != arrived[1]) {
                int shard = arrived[0] < arrived[1] ? 0 : 1;
                arrived[shard]++;
                ddl(shard, ALTER);
            }
            restart(MixedRows.REFUSE);
            assertEquals(SchemaState.NONE, cut.schema(), "complete: forgotten");
        }
    }
}
