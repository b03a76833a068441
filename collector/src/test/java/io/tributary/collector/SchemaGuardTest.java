package io.tributary.collector;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.order.Alarms;
import io.tributary.collector.order.DdlLedger;
import io.tributary.collector.order.Distributed;
import io.tributary.collector.order.Emission;
import io.tributary.collector.order.GlobalOrder;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.store.Catalogue;
import io.tributary.store.HeldTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** One shape of a table at a time, and each DDL statement once, over restarts too. */
class SchemaGuardTest {
    private static final TableRef OLD = new TableRef(1, "shop", "t");
    private static final TableRef NEW = new TableRef(2, "shop", "t");
    private static final TableRef OTHER = new TableRef(3, "shop", "u");
    private static final Ddl ALTER = new Ddl("abc", List.of(new TableName("shop", "t")), true);
    private static final Ddl INDEX = new Ddl("idx", List.of(new TableName("shop", "t")), false);
    private static final Ddl DROP_SCHEMA = new Ddl("drop", List.of(new TableName("shop", "")), true);

    private final Tokens[] logs = {new Tokens(0), new Tokens(1)};
    private final List<Token> ddls = new ArrayList<>();
    private Cut cut = Tokens.firstCut(2);
    private GlobalOrder order;
    private SchemaGuard guard;

    SchemaGuardTest() {
        restart(DdlMixed.REFUSE);
    }

    private void restart(DdlMixed mixed) {
        cut = order == null ? cut : order.cut(1, cut.number() + 1, 0, 0);
        DdlLedger ledger = new DdlLedger(2, cut.ddls());
        guard = new SchemaGuard(ledger, List.of("s0", "s1"), mixed, Catalogue.onHeap());
        Emission emission = new Emission() {
            @Override
            public void local(Token token) {
                guard.check(token);
            }

            @Override
            public long distributed(Distributed transaction) {
                return 0;
            }

            @Override
            public void ddl(Token token) {
                guard.emitted(token.ddl());
                ddls.add(token);
            }

            @Override
            public void committed(Token commit, long number) {}
        };
        order = new GlobalOrder(cut, ledger, emission, new Alarms(), Long.MAX_VALUE, shard -> HeldTokens.unbounded());
    }

    private void rows(int shard, TableRef ref) {
        order.receive(logs[shard].local(null, ref));
        order.process();
    }

    private void ddl(int shard, Ddl ddl) {
        order.receive(logs[shard].ddl(ddl, null));
        order.process();
    }

    private void refused(int shard, TableRef ref) {
        TributaryException refusal = assertThrows(TributaryException.class, () -> rows(shard, ref));
        assertEquals(ErrorCode.SCHEMA_MIXED, refusal.code());
        assertTrue(refusal.getMessage().contains("table shop.t"), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("shard s" + shard), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("binlog.000001"), refusal.getMessage());
    }

    @Test
    void theFirstRowsSayWhatIsInForce() {
        rows(0, OLD);
        rows(1, OLD);
        rows(1, OTHER);
        refused(1, NEW);
    }

    @Test
    void aShardThatHadTheDdlBringsTheNewShape() {
        rows(0, OLD);
        ddl(0, ALTER);
        rows(0, NEW);
        ddl(1, ALTER);
        rows(1, NEW);
        assertEquals(1, ddls.size());
        refused(0, OLD);
    }

    @Test
    void oldRowsBehindTheDdlAreRefusedAlsoWhileTheNewShapeIsUnknown() {
        rows(0, OLD);
        ddl(0, ALTER);
        TributaryException refusal = assertThrows(TributaryException.class, () -> rows(1, OLD));
        assertTrue(refusal.getMessage().contains("DDL abc"), refusal.getMessage());
    }

    @Test
    void newRowsFromAShardWithoutTheDdlMustBeOfTheShapeInForce() {
        ddl(0, ALTER);
        rows(0, NEW);
        rows(1, NEW);
        refused(1, OLD);
    }

    @Test
    void aDdlThatChangesNoColumnsChangesNothing() {
        rows(0, OLD);
        ddl(0, INDEX);
        rows(1, OLD);
        refused(0, NEW);
    }

    @Test
    void aStatementOnASchemaTouchesAllItsTables() {
        rows(0, OLD);
        ddl(0, DROP_SCHEMA);
        refused(1, OLD);
    }

    @Test
    void aPendingDdlOfTheCutMakesTheShapeUnknown() {
        rows(0, OLD);
        ddl(0, ALTER);
        restart(DdlMixed.REFUSE);
        assertEquals(1, cut.ddls().size());
        rows(0, NEW);
        rows(1, NEW);
        restart(DdlMixed.REFUSE);
        refused(1, OLD);
    }

    @Test
    void letsMixedRowsPassWhereThatIsWanted() {
        restart(DdlMixed.PASS);
        rows(0, OLD);
        ddl(0, ALTER);
        assertDoesNotThrow(() -> rows(1, OLD));
        rows(0, NEW);
        assertDoesNotThrow(() -> rows(1, OLD));
    }

    @Test
    void theKthArrivalBelongsToTheKthEmissionOverRestarts() {
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
                    restart(DdlMixed.REFUSE);
                }
            }
            while (arrived[0] != arrived[1]) {
                int shard = arrived[0] < arrived[1] ? 0 : 1;
                arrived[shard]++;
                ddl(shard, ALTER);
            }
            restart(DdlMixed.REFUSE);
            assertEquals(List.of(), cut.ddls(), "balanced: forgotten");
        }
    }
}
