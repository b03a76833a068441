package io.tributary.testkit.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An initialized data folder, created once per machine and copied for each server. */
final class MysqlTemplate {
    static final String ROOT = "root";
    static final String PASSWORD = "tributary";

    /** The files that mariadb-install-db passes to a server to create the system tables, in this order. */
    private static final List<String> MARIADB_TABLES =
            List.of("mysql_system_tables.sql", "mysql_performance_tables.sql", "mysql_system_tables_data.sql");

    /** Removes local accounts without a password, which would have precedence over the account for any host. */
    private static final String NO_OTHER_ROOT =
            "DELETE FROM global_priv WHERE User = '" + ROOT + "';\nFLUSH PRIVILEGES;\n";

    private MysqlTemplate() {}

    /** The data folder to copy; a server on a copy creates its own server_uuid. */
    static Path cached(MysqlDistribution distribution) {
        List<String> made = new ArrayList<>(ServerCommand.redoLog(distribution.release()));
        made.add(rootUser(distribution.release()));
        String name = distribution.name() + "-data-" + Integer.toHexString(made.hashCode());
        Path template = CacheFolder.ofUser().entry(name, folder -> initialise(distribution, folder));
        return template.resolve("data");
    }

    private static String rootUser(MysqlRelease release) {
        String account = "'" + ROOT + "'@'%' ";
        String identified =
                release.isMariadb() ? "IDENTIFIED BY '" : "IDENTIFIED WITH " + release.passwordPlugin() + " BY '";
        return (release.isMariadb() ? NO_OTHER_ROOT : "") + "CREATE USER " + account + identified + PASSWORD
                + "';\nGRANT ALL ON *.* TO " + account + "WITH GRANT OPTION;\n";
    }

    private static void initialise(MysqlDistribution distribution, Path folder) throws IOException {
        Path sql = folder.resolve("init.sql");
        Path data = folder.resolve("data");
        List<String> command = new ArrayList<>(distribution.mysqld());
        command.addAll(List.of(
                "--no-defaults",
                "--basedir=" + distribution.base(),
                "--datadir=" + data,
                "--innodb-buffer-pool-size=32M"));
        command.addAll(ServerCommand.redoLog(distribution.release()));
        command.addAll(ServerCommand.asUser());
        if (distribution.release().isMariadb()) {
            Files.createDirectories(data.resolve("mysql"));
            Files.writeString(sql, mariadbTables(distribution) + rootUser(distribution.release()));
            command.addAll(List.of("--bootstrap", "--skip-networking"));
        } else {
            Files.writeString(sql, rootUser(distribution.release()));
            command.addAll(List.of("--initialize-insecure", "--init-file=" + sql));
        }
        run(command, sql, folder.resolve("initialize.log"));
        Files.deleteIfExists(data.resolve("auto.cnf"));
    }

    private static String mariadbTables(MysqlDistribution distribution) throws IOException {
        StringBuilder all = new StringBuilder("USE mysql;\n");
        for (String file : MARIADB_TABLES) {
            all.append(Files.readString(
                            distribution.base().resolve("share/mysql").resolve(file)))
                    .append('\n');
        }
        return all.toString();
    }

    private static void run(List<String> command, Path input, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectInput(input.toFile())
                .redirectOutput(log.toFile());
        try (ChildProcess mysqld = ChildProcess.start(builder)) {
            int status = mysqld.process().onExit().join().exitValue();
            if (status != 0) {
                throw new IOException(MysqlDistribution.explain(log));
            }
        }
    }
}
