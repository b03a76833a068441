package io.tributary.common.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.TableName;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The marker table, and the streams that a node with this order may continue. */
class OrderConfigTest {
    private static final OrderConfig TSO = new OrderConfig(OrderMode.TSO, "tributary.commit_tso");
    private static final GtidSet SOME = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5");
    private static final GtidSet MORE = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9");

    private static Cut cut(GtidSet resume, GtidSet frontier, long tso) {
        ShardCut shard =
                new ShardCut("s", "", new ResumePosition(resume, "", 4), frontier, 7, 99, Cut.LeftOutGtids.NONE);
        return new Cut(
                1,
                3,
                new Cut.Sources(List.of(shard), Set.of()),
                new Cut.OutputPoint(5, 0, tso),
                new Cut.SchemaPoint(SchemaState.NONE, 0));
    }

    @Test
    void namesTheMarkerTable() {
        assertEquals(new TableName("tributary", "commit_tso"), TSO.markerTable());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "commit_tso", ".commit_tso", "tributary.", "a.b.c"})
    void refusesTextThatNamesNoTable(String text) {
        assertThrows(IllegalArgumentException.class, () -> new OrderConfig(OrderMode.TSO, text));
    }

    @Test
    void continuesOnlyInTheOrderOfTheStream() {
        TSO.requireFits(cut(SOME, SOME, 0));
        TSO.requireFits(cut(SOME, SOME, 5));
        OrderConfig.XA.requireFits(cut(SOME, MORE, 0));
        TributaryException isXa = assertThrows(TributaryException.class, () -> TSO.requireFits(cut(SOME, MORE, 0)));
        assertEquals(ErrorCode.CONFIG_INVALID, isXa.code());
        TributaryException isTso =
                assertThrows(TributaryException.class, () -> OrderConfig.XA.requireFits(cut(SOME, SOME, 5)));
        assertEquals(ErrorCode.CONFIG_INVALID, isTso.code());
    }
}
