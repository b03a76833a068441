package io.tributary.compatibility;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.pipeline.Clock;
import io.tributary.local.LocalCluster;
import io.tributary.local.NodeConfig;
import io.tributary.testkit.Await;
import io.tributary.testkit.check.BinlogReader;
import io.tributary.testkit.check.BinlogTransaction;
import io.tributary.testkit.compare.TwinWorkload;
import io.tributary.testkit.server.MysqlOptions;
import io.tributary.testkit.server.MysqlRelease;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Two shards of a release with Tributary before them, and their twin, with the workload in both. */
final class Stage implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final long SEED = 20_261;
    private static final int TRANSACTIONS = 300;
    private static final String READS = "REPLICATION SLAVE, REPLICATION CLIENT, SELECT ON *.*";

    /** The account, before the real server, of clients that know no other password plugin. */
    private static final MysqlUser OLD = new MysqlUser("old", LocalCluster.READER.password(), MysqlUser.NATIVE);

    private final Path folder;
    private final MysqlServer twin;
    private final LocalCluster cluster;
    private final List<Executed> settled = new ArrayList<>();
    private Executed middle;
    private long secondOfMiddle;

    /** What the two sources had executed at one time. */
    private record Executed(String tributary, String twin) {}

    private Stage(Path folder, MysqlServer twin, LocalCluster cluster) {
        this.folder = folder;
        this.twin = twin;
        this.cluster = cluster;
    }

    /** With the workload whose tables change on all shards at one place. */
    static Stage of(MysqlRelease release, Path folder) throws SQLException {
        return of(release, folder, Stage::fill);
    }

    /** With the workload of changes that roll over the shards. */
    static Stage rolling(MysqlRelease release, Path folder) throws SQLException {
        return of(release, folder, Stage::roll);
    }

    /** Puts a workload into both sources. */
    @FunctionalInterface
    private interface Filler {
        void fill(Stage stage) throws SQLException;
    }

    private static Stage of(MysqlRelease release, Path folder, Filler filler) throws SQLException {
        MysqlServer twin = MysqlServer.start(options(release, "twin"));
        try {
            newest(release).create(twin, READS);
            if (!release.isMysqlFrom(90000)) {
                OLD.create(twin, READS);
            }
            LocalCluster cluster = LocalCluster.withShards(
                    folder.resolve("cluster"),
                    List.of(options(release, "s1"), options(release, "s2")),
                    config -> config(config, release));
            Stage stage = new Stage(folder, twin, cluster);
            try {
                stage.start();
                filler.fill(stage);
                return stage;
            } catch (RuntimeException | SQLException e) {
                cluster.close();
                throw e;
            }
        } catch (RuntimeException | SQLException e) {
            twin.close();
            throw e;
        }
    }

    /** The account of clients that know what the release has by default. */
    private static MysqlUser newest(MysqlRelease release) {
        return new MysqlUser(LocalCluster.READER.name(), LocalCluster.READER.password(), release.passwordPlugin());
    }

    /** A collation that all clients know: MySQL 8.0's own default stops older replicas before any real server. */
    private static MysqlOptions options(MysqlRelease release, String name) {
        return MysqlOptions.named(name)
                .of(release)
                .with("--character-set-server=utf8mb4", "--collation-server=utf8mb4_general_ci");
    }

    /** mariadb-binlog takes no version from 8 on. */
    private static NodeConfig config(NodeConfig config, MysqlRelease release) {
        NodeConfig all = config.set("serve.native-password", "true")
                .set("serve.select", Boolean.toString(!release.isMariadb()))
                .set("serve.select.row", "32MiB"); // the largest row has 17 MiB
        return release.isMariadb() ? all.set("serve.version", "5.7.44-tributary") : all;
    }

    private void start() throws SQLException {
        for (MysqlServer shard : cluster.shards()) { // answers about tables are asked of a shard
            shard.execute(
                    "SET sql_log_bin = 0",
                    "GRANT SELECT ON *.* TO '" + MysqlUser.tributary().name() + "'@'%'");
        }
        cluster.node().start();
    }

    private void roll() throws SQLException {
        new TwinWorkload(cluster.shards(), twin, SEED).roll(this::settle);
        middle = settled.get(settled.size() - 2); // the second half is the last transaction alone
    }

    private void fill() throws SQLException {
        new TwinWorkload(cluster.shards(), twin, SEED).run(TRANSACTIONS, this::settle);
        middle = settled.get(TwinWorkload.SETTLES_TO_MIDDLE - 1);
    }

    private void settle() throws SQLException {
        cluster.awaitAllWritten(LIMIT);
        settled.add(new Executed(cluster.gtidExecuted(), twin.gtidExecuted()));
        if (settled.size() == TwinWorkload.SETTLES_TO_MIDDLE) {
            long last = second();
            Await.until("the next second", LIMIT, () -> second() > last);
            secondOfMiddle = second();
        }
    }

    private Executed end() {
        return settled.get(settled.size() - 1);
    }

    private static long second() {
        return TimeUnit.MICROSECONDS.toSeconds(Clock.SYSTEM.epochMicros());
    }

    Source tributary(String client) throws IOException {
        return new Source(
                "Tributary",
                cluster.servePort(),
                LocalCluster.READER,
                place(cluster.binlogFolder(), middle.tributary()),
                GtidSet.parse(end().tributary()).line(),
                cluster.binlogFolder(),
                made("tributary", client));
    }

    Source twin(String client, boolean isOld) throws IOException {
        return new Source(
                "the real server",
                twin.port(),
                isOld && !twin.release().isMysqlFrom(90000) ? OLD : LocalCluster.READER,
                place(twin.dataFolder(), middle.twin()),
                end().twin(),
                twin.dataFolder(),
                made("twin", client));
    }

    private Source.Place place(Path binlogs, String gtids) throws IOException {
        GtidSet before = MariadbGtids.parse(gtids);
        BinlogTransaction next = BinlogReader.ofFolder(binlogs).all().stream()
                .filter(transaction -> transaction.gtid() != null
                        && !before.contains(
                                transaction.gtid().sid(), transaction.gtid().gno()))
                .findFirst()
                .orElseThrow();
        return new Source.Place(before.line(), next.file(), next.start(), secondOfMiddle);
    }

    private Path made(String source, String client) throws IOException {
        return Files.createDirectories(folder.resolve(source).resolve(client.replaceAll("\\W+", "-")));
    }

    @Override
    public void close() {
        cluster.close();
        twin.close();
    }
}
