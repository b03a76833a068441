package io.tributary.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A freshly initialised data folder, made once per machine and copied for each server. */
final class MysqlTemplate {
    static final String ROOT = "root";
    static final String PASSWORD = "tributary";

    private static final String INIT_SQL = "CREATE USER '" + ROOT + "'@'%' IDENTIFIED WITH caching_sha2_password BY '"
            + PASSWORD + "';\nGRANT ALL ON *.* TO '" + ROOT + "'@'%' WITH GRANT OPTION;\n";
    private static final String REDO_LOG = "--innodb-redo-log-capacity=32M";

    private MysqlTemplate() {}

    /** The data folder to copy; a server on a copy finds a server_uuid of its own. */
    static Path cached(MysqlDistribution distribution) {
        String name = distribution.name() + "-data-" + Integer.toHexString((INIT_SQL + REDO_LOG).hashCode());
        Path template = CacheFolder.ofUser().entry(name, folder -> initialise(distribution, folder));
        return template.resolve("data");
    }

    private static void initialise(MysqlDistribution distribution, Path folder) throws IOException {
        Path sql = Files.writeString(folder.resolve("init.sql"), INIT_SQL);
        Path log = folder.resolve("initialize.log");
        List<String> command = new ArrayList<>(List.of(
                distribution.mysqld().toString(),
                "--no-defaults",
                "--initialize-insecure",
                "--init-file=" + sql,
                "--basedir=" + distribution.folder(),
                "--datadir=" + folder.resolve("data"),
                "--innodb-buffer-pool-size=32M",
                REDO_LOG));
        command.addAll(asUser());
        try (ChildProcess mysqld = ChildProcess.start(command, log)) {
            int status = mysqld.process().onExit().join().exitValue();
            if (status != 0) {
                throw new IOException(MysqlDistribution.explain(log));
            }
        }
        Files.deleteIfExists(folder.resolve("data/auto.cnf"));
    }

    /** mysqld refuses to run as root unless it is told to. */
    static List<String> asUser() {
        return "root".equals(System.getProperty("user.name")) ? List.of("--user=root") : List.of();
    }
}
