package io.tributary.node.command.order;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.node.command.order.GlobalPoint.ShardPoint;
import java.util.List;
import org.junit.jupiter.api.Test;

class GlobalPointTest {
    private static ShardPoint point(GtidSet executed) {
        return new ShardPoint("s1", "", executed, "binlog.000001", 4, true, List.of());
    }

    @Test
    void thePositionOfAMariadbShardIsTheNewestGtidOfEachDomain() {
        ShardPoint point = point(MariadbGtids.upTo("0-1-100,0-2-90,7-2-50"));
        assertTrue(point.isMariadb());
        assertEquals("0-1-100,7-2-50", point.gtids());
    }

    @Test
    void thePositionOfAMysqlShardIsItsSet() {
        String set = "11111111-1111-1111-1111-111111111111:1-5:7";
        assertEquals(set, point(GtidSet.parse(set)).gtids());
        assertEquals("the beginning", point(GtidSet.EMPTY).gtids());
    }
}
