package io.tributary.bench.apply;

import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.testkit.proxy.TcpProxy;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlServer;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** A source, which stands for the MySQL port of a node, a target, a proxy between applier and target, and the process of the applier. */
final class ApplySite implements AutoCloseable {
    private static final String[] MEMORY = {"--innodb-buffer-pool-size=256M", "--innodb-redo-log-capacity=512M"};

    private final MysqlServer source;
    private final MysqlServer target;
    private final TcpProxy proxy;
    private final ApplyProcess applier;

    /**
     * @param isSynced whether each commit of the target is on its disk, the default of MySQL
     * @param tls of the connections of the applier to both servers
     */
    ApplySite(boolean isSynced, TlsMode tls) {
        applier = new ApplyProcess(tls);
        source = MysqlServer.start(MysqlOptions.named("source").with(MEMORY));
        target = MysqlServer.start(MysqlOptions.named("target")
                .with(MEMORY)
                .with("--sync-binlog=" + (isSynced ? 1 : 0), "--innodb-flush-log-at-trx-commit=" + (isSynced ? 1 : 2)));
        proxy = TcpProxy.to(target.port());
    }

    MysqlServer source() {
        return source;
    }

    MysqlServer target() {
        return target;
    }

    /**
     * Does a job.
     *
     * @param roundTrip of the network to the target; zero: without the proxy
     */
    ApplyOutcome run(ApplyMode mode, Duration roundTrip, int transactions, int seconds) throws IOException {
        proxy.delay(roundTrip.dividedBy(2));
        int port = roundTrip.isZero() ? target.port() : proxy.port();
        return applier.run(new ApplyJob(mode, source.port(), port, transactions, seconds));
    }

    /** The sync settings of the target, as it has them. */
    String settings() throws SQLException {
        return target.text("SELECT CONCAT('sync_binlog=', @@sync_binlog, ', innodb_flush_log_at_trx_commit=',"
                + " @@innodb_flush_log_at_trx_commit, ', innodb_buffer_pool_size=', @@innodb_buffer_pool_size)");
    }

    @Override
    public void close() {
        applier.close();
        proxy.close();
        target.close();
        source.close();
    }
}
