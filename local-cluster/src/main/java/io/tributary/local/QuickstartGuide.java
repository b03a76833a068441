package io.tributary.local;

import io.tributary.testkit.server.MysqlReplica;
import io.tributary.testkit.server.MysqlServer;
import java.util.ArrayList;
import java.util.List;

/** The commands with which a user can inspect the processes that the quickstart leaves running. */
final class QuickstartGuide {
    private QuickstartGuide() {}

    static List<String> lines(QuickstartMode setting, LocalCluster cluster, MysqlReplica replica) {
        String reader = login(
                ClusterNodes.servePort(setting.writer()), LocalCluster.READER.name(), LocalCluster.READER.password());
        List<String> lines = new ArrayList<>();
        lines.add("");
        lines.add("All processes keep running. Commands to try:");
        lines.add("  the binlog     mysqlbinlog --read-from-remote-server --stop-never --base64-output=decode-rows -v"
                + " --get-server-public-key" + reader + " binlog.000001");
        lines.add("  as SQL         mysql --get-server-public-key" + reader + " -e 'SHOW BINARY LOGS'");
        lines.add("  the replica    mysql" + root(replica.server()) + " -e '" + setting.statement() + "'");
        for (MysqlServer shard : cluster.shards()) {
            lines.add("  shard " + shard.name() + "       mysql" + root(shard) + " bank");
        }
        lines.addAll(setting.guide());
        lines.add("  stop           press Ctrl-C here (ends all these processes and deletes their files)");
        lines.add("");
        return lines;
    }

    private static String root(MysqlServer server) {
        return login(server.port(), MysqlServer.ROOT, MysqlServer.ROOT_PASSWORD);
    }

    private static String login(int port, String user, String password) {
        return " -h 127.0.0.1 -P " + port + " -u " + user + " -p" + password;
    }
}
