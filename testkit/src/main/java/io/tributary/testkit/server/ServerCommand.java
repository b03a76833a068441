package io.tributary.testkit.server;

import java.util.ArrayList;
import java.util.List;

/** The command line options of test servers, as each release supports them. */
final class ServerCommand {
    private static final List<String> ALL = List.of(
            "--skip-name-resolve",
            "--performance-schema=OFF",
            "--innodb-buffer-pool-size=32M",
            "--innodb-log-buffer-size=4M",
            "--innodb-flush-log-at-trx-commit=2",
            "--sync-binlog=0",
            "--innodb-use-native-aio=OFF",
            "--max-connections=300",
            "--log-bin=binlog",
            "--binlog-format=ROW",
            "--binlog-row-image=FULL");
    private static final List<String> MYSQL = List.of(
            "--log-error-verbosity=2", "--secure-file-priv=NULL", "--gtid-mode=ON", "--enforce-gtid-consistency=ON");

    private ServerCommand() {}

    /** The options of every server of this release; the caller adds folders, port and ids. */
    static List<String> options(MysqlRelease release) {
        List<String> options = new ArrayList<>(ALL);
        if (!release.isMariadb()) {
            options.addAll(MYSQL);
        }
        if (!release.isMysqlFrom(80000)) {
            options.add("--log-slave-updates=ON");
        }
        if (release.isMysqlFrom(80000) || release.isMariadb()) {
            options.add("--binlog-row-metadata=FULL");
        }
        if (release.isMysqlFrom(80011)) {
            options.add("--mysqlx=OFF");
        }
        options.addAll(redoLog(release));
        options.addAll(asUser());
        return options;
    }

    /** A redo log of 32 MiB, also when the data folder is created. */
    static List<String> redoLog(MysqlRelease release) {
        if (release.isMysqlFrom(80030)) {
            return List.of("--innodb-redo-log-capacity=32M");
        }
        return release.isMariadb()
                ? List.of("--innodb-log-file-size=32M")
                : List.of("--innodb-log-file-size=16M", "--innodb-log-files-in-group=2");
    }

    /** mysqld runs as root only with an explicit option. */
    static List<String> asUser() {
        return "root".equals(System.getProperty("user.name")) ? List.of("--user=root") : List.of();
    }
}
