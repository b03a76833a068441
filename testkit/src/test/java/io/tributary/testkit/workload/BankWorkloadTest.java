package io.tributary.testkit.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The bank keeps its total and leaves no branch in doubt, also if a shard is killed during the load. */
class BankWorkloadTest {
    @Test
    void keepsItsTotalAfterAKillOfAShardAndCountsItsTransactions() throws Exception {
        try (MysqlServers shards = MysqlServers.start("shard-1", "shard-2", "shard-3")) {
            BankWorkload bank = new BankWorkload(shards.all(), BankOptions.seeded(1));
            bank.prepare();
            bank.run(300L);
            BankFigures calm = bank.figures();
            assertEquals(300, calm.committed() + calm.rolledBack());
            assertEquals(calm.committed(), transfers(shards));
            assertTrue(calm.xa() > 40, calm.toString());

            bank.start();
            Await.until(
                    "some more", Duration.ofSeconds(30), () -> bank.figures().xa() > calm.xa() + 20);
            shards.get(1).kill9();
            shards.get(1).restart();
            BankFigures after = bank.figures();
            Await.until(
                    "some more", Duration.ofSeconds(30), () -> bank.figures().xa() > after.xa() + 20);
            bank.stop();

            assertEquals(bank.total(), sum(shards, "SELECT SUM(balance) FROM bank.accounts"));
            assertEquals(24, sum(shards, "SELECT COUNT(*) FROM bank.vouchers"));
            for (MysqlServer shard : shards) {
                assertEquals(0, inDoubt(shard));
            }
            long unsure = bank.figures().unknown();
            long surplus = transfers(shards) - bank.figures().committed();
            assertTrue(surplus >= 0 && surplus <= unsure, surplus + " of " + unsure);
        }
    }

    private static long transfers(MysqlServers shards) throws SQLException {
        return sum(shards, "SELECT COUNT(*) FROM bank.transfers WHERE xa = 0")
                + sum(shards, "SELECT COALESCE(SUM(12 / branches), 0) FROM bank.transfers WHERE xa = 1") / 12;
    }

    private static int inDoubt(MysqlServer shard) throws SQLException {
        try (Sql sql = shard.sql()) {
            return sql.rows("XA RECOVER").size();
        }
    }

    private static long sum(MysqlServers shards, String query) throws SQLException {
        long sum = 0;
        for (MysqlServer shard : shards) {
            sum += (long) Double.parseDouble(shard.text(query));
        }
        return sum;
    }
}
