package io.tributary.testkit.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import org.junit.jupiter.api.Test;

/** Mixed, insert and single odd transactions run on real servers. */
class ShapesTest {
    @Test
    void realServersAcceptAllForms() throws Exception {
        try (MysqlServers shards = MysqlServers.start("shard-1", "shard-2")) {
            for (long seed = 1; seed <= 3; seed++) {
                MixedWorkload mixed = new MixedWorkload(shards.all(), seed, 6, 4, true);
                mixed.prepare();
                mixed.run(200L);
                assertEquals(200, mixed.committed());
                for (MysqlServer shard : shards) {
                    shard.execute("DROP DATABASE mixed");
                }
            }

            InsertWorkload inserts = new InsertWorkload(
                    shards.all(), 1, InsertOptions.tiny().only(1).perSecond(1000));
            inserts.prepare();
            long start = System.nanoTime();
            inserts.run(200L);
            assertEquals(200, inserts.committed());
            assertTrue(System.nanoTime() - start >= 199_000_000, "200 steps at 1000/s took less than 199 ms");
            assertEquals("0", shards.get(0).text("SELECT COUNT(*) FROM inserts.written"));

            OddTransactions odd = new OddTransactions(shards.all());
            odd.prepare();
            odd.huge(0, 3);
            odd.hugeRow(0, 17);
            odd.compressed(0);
            odd.statementFormat(0);
            odd.minimalRowImage(0);
            odd.empty(0);
            assertEquals("52", shards.get(0).text("SELECT COUNT(*) FROM odd.body"));
        }
    }
}
