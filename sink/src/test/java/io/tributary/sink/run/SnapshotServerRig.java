package io.tributary.sink.run;

import io.tributary.testkit.Await;
import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.sql.SQLException;
import java.util.List;

/** A replica of the source, which is stopped at a place. */
final class SnapshotServerRig implements AutoCloseable {
    private final SinkRig rig;
    private final MysqlServer server =
            MysqlServer.start(MysqlReplica.options("snapshot", 1).with("--skip-log-bin"));

    SnapshotServerRig(SinkRig rig) {
        this.rig = rig;
    }

    MysqlServer server() {
        return server;
    }

    /** Empty, without a source. */
    void clear() throws SQLException {
        server.execute("STOP REPLICA", "RESET REPLICA ALL");
        try (Sql sql = server.sql()) {
            for (String schema : List.of("shop", "shop2")) {
                sql.execute("DROP DATABASE IF EXISTS " + schema);
            }
            sql.execute("RESET MASTER");
        }
    }

    /** Applies all that the source has now, and stops the applier. */
    void fill() throws SQLException {
        follow();
        long last = rig.last();
        Await.until("transaction " + last, SinkRig.LIMIT, () -> last(server.gtidExecuted()) >= last);
        stop();
    }

    void follow() throws SQLException {
        new MysqlReplica(server)
                .attachByGtid("127.0.0.1", rig.source().port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
    }

    void stop() throws SQLException {
        server.execute("STOP REPLICA SQL_THREAD");
    }

    static long last(String executed) {
        return executed.isEmpty() ? 0 : Long.parseLong(executed.replaceAll("(?s).*[:-]", ""));
    }

    @Override
    public void close() {
        server.close();
    }
}
