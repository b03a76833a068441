package io.tributary.compatibility;

import io.tributary.testkit.compare.ConnectorReading;
import io.tributary.testkit.compare.StatementsReading;
import io.tributary.testkit.server.MysqlRelease;
import java.util.ArrayList;
import java.util.List;

/** All lines of the matrix, ordered by the shards that they need. */
final class Clients {
    private Clients() {}

    static List<MatrixIT.Cell> cells() {
        List<MatrixIT.Cell> cells = new ArrayList<>();
        libraries().forEach(client -> add(cells, MysqlRelease.MYSQL_8_0_31, client));
        Programs.all().forEach(client -> add(cells, MysqlRelease.MYSQL_8_0_31, client));
        tools(cells, MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_9);
        tools(cells, MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_8_0_33);
        add(cells, MysqlRelease.MYSQL_8_0_31, mariadbBinlog());
        replicas(cells, MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_9);
        replicas(cells, MysqlRelease.MYSQL_8_0_31, MysqlRelease.MYSQL_8_0_33);
        add(cells, MysqlRelease.MYSQL_8_0_31, new ReplicaClient(MysqlRelease.MARIADB_10_11, false, 1));
        for (MysqlRelease old : List.of(MysqlRelease.MYSQL_8_0_15, MysqlRelease.MYSQL_5_7_22)) {
            add(cells, MysqlRelease.MYSQL_8_0_31, new ReplicaClient(old, true, 8));
            add(cells, MysqlRelease.MYSQL_8_0_31, new ReplicaClient(old, false, 1));
        }
        JvmPrograms.all().forEach(client -> add(cells, MysqlRelease.MYSQL_8_0_31, client));

        add(cells, MysqlRelease.MYSQL_5_7_22, new ReplicaClient(MysqlRelease.MYSQL_5_7_22, true, 1));
        add(cells, MysqlRelease.MYSQL_5_7_22, new ReplicaClient(MysqlRelease.MYSQL_5_7_22, false, 8));
        add(cells, MysqlRelease.MYSQL_5_7_22, new ReplicaClient(MysqlRelease.MYSQL_8_0_33, true, 8));
        add(cells, MysqlRelease.MYSQL_5_7_22, new ReplicaClient(MysqlRelease.MARIADB_10_11, false, 1));
        add(cells, MysqlRelease.MYSQL_5_7_22, mysqlbinlog(MysqlRelease.MYSQL_8_0_33, BinlogToolClient.Way.TEXT));
        add(cells, MysqlRelease.MYSQL_5_7_22, mariadbBinlog());

        add(cells, MysqlRelease.MYSQL_9, new ReplicaClient(MysqlRelease.MYSQL_9, true, 8));
        add(cells, MysqlRelease.MYSQL_9, mysqlbinlog(MysqlRelease.MYSQL_9, BinlogToolClient.Way.TEXT));

        add(cells, MysqlRelease.MARIADB_10_11, new ReplicaClient(MysqlRelease.MARIADB_10_11, false, 1));
        add(cells, MysqlRelease.MARIADB_10_11, mariadbBinlog());
        return cells;
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
                new LibraryClient(
                        "MariaDB Connector/J (JDBC)",
                        StatementsReading.version(),
                        "statements",
                        source -> StatementsReading.of(source.sql())));
    }

    private static Client connector(boolean byGtid) {
        return new LibraryClient(
                "mysql-binlog-connector-java",
                ConnectorReading.VERSION,
                byGtid ? "GTID" : "position",
                source -> new ConnectorReading(source.port(), source.user()).read(byGtid, Source.FIRST_FILE));
    }

    private static Client mysqlbinlog(MysqlRelease release, BinlogToolClient.Way way) {
        return new BinlogToolClient(release, way);
    }

    private static Client mariadbBinlog() {
        return new BinlogToolClient(MysqlRelease.MARIADB_10_11, BinlogToolClient.Way.TEXT);
    }

    private static void add(List<MatrixIT.Cell> cells, MysqlRelease shards, Client client) {
        cells.add(new MatrixIT.Cell(shards, client));
    }
}
