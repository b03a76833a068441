package io.tributary.compatibility;

import io.tributary.testkit.compare.ConnectorReading;
import io.tributary.testkit.compare.StatementsReading;
import io.tributary.testkit.server.MysqlRelease;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** All lines of the matrix, ordered by the shards that they need. */
final class Clients {
    private Clients() {}

    static List<MatrixIT.Cell> cells() {
        List<MatrixIT.Cell> cells = new ArrayList<>();
        before80(cells);
        before57(cells);
        before9(cells);
        beforeMariadb(cells);
        return cells;
    }

    /** Clients that read a binlog from its beginning and follow the changes in it by themselves, and replicas. */
    static List<MatrixIT.Cell> ofChanges() {
        List<MatrixIT.Cell> cells = new ArrayList<>();
        MysqlRelease shards = MysqlRelease.MYSQL_8_0_31;
        Stream.of(libraries(), Programs.all(), JvmPrograms.all())
                .flatMap(List::stream)
                .filter(client -> client.compared() == Compared.CHANGES)
                .filter(client -> !client.mode().contains("second half"))
                .forEach(client -> add(cells, shards, client));
        add(cells, shards, mysqlbinlog(MysqlRelease.MYSQL_9, BinlogToolClient.Way.TEXT));
        add(cells, shards, new ReplicaClient(MysqlRelease.MYSQL_9, true, 8));
        add(cells, shards, new ReplicaClient(MysqlRelease.MARIADB_10_11, false, 1));
        return cells;
    }

    /** Clients that copy tables while they change, and then read the binlog. */
    static List<MatrixIT.Cell> ofCopies() {
        List<MatrixIT.Cell> cells = new ArrayList<>();
        JvmPrograms.copiesUnderLoad().forEach(client -> add(cells, MysqlRelease.MYSQL_8_0_31, client));
        return cells;
    }

    private static void before80(List<MatrixIT.Cell> cells) {
        MysqlRelease shards = MysqlRelease.MYSQL_8_0_31;
        libraries().forEach(client -> add(cells, shards, client));
        Programs.all().forEach(client -> add(cells, shards, client));
        JvmPrograms.all().forEach(client -> add(cells, shards, client));
        JvmPrograms.copies().forEach(client -> add(cells, shards, client));
        Programs.copies().forEach(client -> add(cells, shards, client));
        tools(cells, shards, MysqlRelease.MYSQL_9);
        tools(cells, shards, MysqlRelease.MYSQL_8_0_33);
        add(cells, shards, new BinlogToolClient(MysqlRelease.MARIADB_10_11, BinlogToolClient.Way.TEXT, ""));
        replicas(cells, shards, MysqlRelease.MYSQL_9);
        replicas(cells, shards, MysqlRelease.MYSQL_8_0_33);
        Stream.of(ReplicaClient.Variant.values())
                .filter(variant -> variant != ReplicaClient.Variant.PLAIN)
                .forEach(variant -> add(cells, shards, new ReplicaClient(MysqlRelease.MYSQL_9, true, 8, variant)));
        replicas(cells, shards, MysqlRelease.MYSQL_5_7_22);
        add(cells, shards, new ReplicaClient(MysqlRelease.MYSQL_8_0_15, true, 8));
        mariadbReplicas(cells, shards);
    }

    private static void before57(List<MatrixIT.Cell> cells) {
        MysqlRelease shards = MysqlRelease.MYSQL_5_7_22;
        add(cells, shards, connector(true));
        replicas(cells, shards, MysqlRelease.MYSQL_5_7_22);
        add(cells, shards, new ReplicaClient(MysqlRelease.MYSQL_8_0_33, true, 8));
        add(cells, shards, new ReplicaClient(MysqlRelease.MARIADB_10_11, false, 1));
        add(cells, shards, mysqlbinlog(MysqlRelease.MYSQL_8_0_33, BinlogToolClient.Way.TEXT));
        mariadbTools(cells, shards, "shop");
        add(cells, shards, new MaxwellClient());
    }

    private static void before9(List<MatrixIT.Cell> cells) {
        MysqlRelease shards = MysqlRelease.MYSQL_9;
        add(cells, shards, new ReplicaClient(MysqlRelease.MYSQL_9, true, 8));
        add(cells, shards, new ReplicaClient(MysqlRelease.MYSQL_9, false, 1));
        add(cells, shards, mysqlbinlog(MysqlRelease.MYSQL_9, BinlogToolClient.Way.TEXT));
        add(cells, shards, mysqlbinlog(MysqlRelease.MYSQL_9, BinlogToolClient.Way.EXCLUDE));
        JvmPrograms.copies().stream()
                .filter(client -> client.name().equals("Debezium"))
                .forEach(client -> add(cells, shards, client));
    }

    private static void beforeMariadb(List<MatrixIT.Cell> cells) {
        mariadbReplicas(cells, MysqlRelease.MARIADB_10_11);
        mariadbTools(cells, MysqlRelease.MARIADB_10_11, "");
    }

    private static void mariadbReplicas(List<MatrixIT.Cell> cells, MysqlRelease shards) {
        for (int workers : new int[] {1, 8}) {
            add(cells, shards, new ReplicaClient(MysqlRelease.MARIADB_10_11, false, workers));
        }
    }

    /** All ways but the one by GTIDs of MySQL. */
    private static void mariadbTools(List<MatrixIT.Cell> cells, MysqlRelease shards, String decoded) {
        for (BinlogToolClient.Way way : BinlogToolClient.Way.values()) {
            if (way != BinlogToolClient.Way.EXCLUDE) {
                add(cells, shards, new BinlogToolClient(MysqlRelease.MARIADB_10_11, way, decoded));
            }
        }
    }

    private static void replicas(List<MatrixIT.Cell> cells, MysqlRelease shards, MysqlRelease replica) {
        for (boolean byGtid : new boolean[] {true, false}) {
            for (int workers : new int[] {1, 8}) {
                add(cells, shards, new ReplicaClient(replica, byGtid, workers));
            }
        }
    }

    private static void tools(List<MatrixIT.Cell> cells, MysqlRelease shards, MysqlRelease tool) {
        for (BinlogToolClient.Way way : BinlogToolClient.Way.values()) {
            add(cells, shards, mysqlbinlog(tool, way));
        }
    }

    private static List<Client> libraries() {
        return List.of(
                connector(true),
                connector(false),
                jdbc("MySQL Connector/J (JDBC)", "com.mysql", "mysql", "sslMode=DISABLED"),
                jdbc("MariaDB Connector/J (JDBC)", "org.mariadb", "mariadb", "sslMode=disable"));
    }

    private static Client connector(boolean byGtid) {
        return new LibraryClient(
                "mysql-binlog-connector-java",
                ConnectorReading.VERSION,
                byGtid ? "GTID" : "position",
                byGtid ? "`setGtidSet(\"\")`" : "`setBinlogFilename`, `setBinlogPosition(4)`",
                Compared.CHANGES,
                source -> new ConnectorReading(source.port(), source.user()).read(byGtid, Source.FIRST_FILE));
    }

    private static Client jdbc(String name, String driver, String protocol, String noTls) {
        return new LibraryClient(
                name,
                StatementsReading.version(driver),
                "statements",
                "`allowPublicKeyRetrieval=true` without TLS",
                Compared.ANSWERS,
                source -> StatementsReading.of(DriverManager.getConnection(
                        "jdbc:" + protocol + "://" + Source.HOST + ":" + source.port()
                                + "/?allowPublicKeyRetrieval=true&" + noTls,
                        source.user().name(),
                        source.user().password())));
    }

    private static Client mysqlbinlog(MysqlRelease release, BinlogToolClient.Way way) {
        return new BinlogToolClient(release, way, "");
    }

    private static void add(List<MatrixIT.Cell> cells, MysqlRelease shards, Client client) {
        cells.add(new MatrixIT.Cell(shards, client));
    }
}
