package io.tributary.testkit.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.Sql;
import java.util.EnumSet;
import org.junit.jupiter.api.Test;

/** Real servers accept all pathologies, and no branch is left in doubt. */
class PathologicalXaWorkloadTest {
    @Test
    void runsAllKindsAndLeavesNoPreparedBranch() throws Exception {
        try (MysqlServers shards = MysqlServers.start("shard-1", "shard-2", "shard-3")) {
            PathologicalXaWorkload workload =
                    new PathologicalXaWorkload(shards.all(), 7, 3, EnumSet.allOf(XaPathology.class));
            workload.prepare();
            workload.run(600L);
            for (XaPathology kind : XaPathology.values()) {
                assertTrue(workload.done().get(kind) > 0, kind.toString());
            }
            for (MysqlServer shard : shards) {
                try (Sql sql = shard.sql()) {
                    assertEquals(0, sql.rows("XA RECOVER").size());
                }
            }
        }
    }
}
