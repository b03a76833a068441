package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SHOW TRIBUTARY CHECKPOINT over real connections, on a writer's and on a follower's files. */
@Timeout(60)
class ShowTributaryCheckpointTest {
    private static final String SHOW = "SHOW TRIBUTARY CHECKPOINT";

    @TempDir
    Path folder;

    private static MysqlConnection connect(ServedBinlog served) throws Exception {
        Endpoint endpoint = Endpoint.of("127.0.0.1", served.port(), "reader", "secret");
        return new MysqlClient(served.group()).connect(endpoint).get(20, TimeUnit.SECONDS);
    }

    private static QueryResult ask(MysqlConnection connection, String sql) throws Exception {
        return connection.query(sql).get(20, TimeUnit.SECONDS);
    }

    private static void assertAt(long transactions, QueryResult rows) {
        assertEquals(1, rows.rows().size());
        assertEquals(
                transactions == 0 ? "" : ServedBinlog.GTIDS + "1-" + transactions, rows.text(0, "Executed_Gtid_Set"));
        if (transactions > 0) {
            assertEquals("s1", rows.text(0, "Shard"));
            assertEquals(new UUID(1, 1).toString(), rows.text(0, "Server_uuid"));
            assertEquals(transactions, GtidSet.parse(rows.text(0, "Frontier")).count());
            assertEquals(Long.toString(transactions), rows.text(0, "Round"));
        }
    }

    @Test
    void showsTheNewestCutAndThatTheBinlogContainsIt() throws Exception {
        try (ServedBinlog served = new ServedBinlog(folder, ServedBinlog.DUMPS)) {
            MysqlConnection connection = connect(served);
            long written = 0;
            for (int i = 0; i < 40; i++) {
                served.write(10);
                written += 10;
                QueryResult checkpoint = ask(connection, SHOW);
                assertAt(written, checkpoint);
                assertEquals(Integer.toString(i + 1), checkpoint.text(0, "Cut"));
                assertEquals(
                        checkpoint.text(0, "Executed_Gtid_Set"),
                        ask(connection, "SELECT @@gtid_executed").text(0, "@@gtid_executed"));
            }
            assertTrue(served.files().list().size() > 2);
            connection.close();
        }
    }

    @Test
    void aFollowerAndManyConnectionsAtOnceGetIt() throws Exception {
        try (ServedBinlog served = ServedBinlog.copy(folder)) {
            served.fill(3);
            List<MysqlConnection> connections = new ArrayList<>();
            List<CompletableFuture<QueryResult>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                connections.add(connect(served));
                answers.add(connections.get(i).query(SHOW));
            }
            for (CompletableFuture<QueryResult> answer : answers) {
                assertAt(served.task.gno(), answer.get(20, TimeUnit.SECONDS));
            }
            connections.forEach(MysqlConnection::close);
        }
    }

    @Test
    void otherTextAfterItIsRefused() throws Exception {
        try (ServedBinlog served = new ServedBinlog(folder, ServedBinlog.DUMPS)) {
            MysqlConnection connection = connect(served);
            ExecutionException refused =
                    assertThrows(ExecutionException.class, () -> ask(connection, SHOW + " FOR s1"));
            assertEquals(1064, ((MysqlServerError) refused.getCause()).errorCode());
            connection.close();
        }
    }
}
