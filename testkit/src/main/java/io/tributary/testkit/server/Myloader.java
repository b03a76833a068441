package io.tributary.testkit.server;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Debian 12's mydumper and myloader 0.10.1, unpacked once into the user's cache; nothing is installed. Only tests run it, and no part of it is in the repository.
 */
public final class Myloader {
    private final Path folder;

    private Myloader(Path folder) {
        this.folder = folder;
    }

    /** The unpacked program; apt downloads it at its first use. Throws if this is not possible. */
    public static Myloader cached() {
        return new Myloader(CacheFolder.ofUser()
                .entry(
                        "mydumper-0.10.1",
                        into -> DebianPackages.unpack(into, "bookworm", List.of("mydumper"), List.of())));
    }

    /** Dumps definitions into a folder with mydumper of the same package; the user needs a password of the older form. */
    public MysqlTools.Outcome dumpSchema(int port, MysqlUser user, Path dump, String... more) {
        List<String> command = new ArrayList<>(DebianPackages.program(folder, folder.resolve("usr/bin/mydumper")));
        command.addAll(List.of(
                "-h",
                "127.0.0.1",
                "-P",
                Integer.toString(port),
                "-u",
                user.name(),
                "-p",
                user.password(),
                "-t",
                "2",
                "-v",
                "3",
                "--no-data",
                "-o",
                dump.toString()));
        command.addAll(List.of(more));
        ProcessBuilder mydumper = new ProcessBuilder(command);
        mydumper.environment()
                .put(
                        "MARIADB_PLUGIN_DIR",
                        folder.resolve("usr/lib/x86_64-linux-gnu/libmariadb3/plugin")
                                .toString());
        return MysqlTools.run(mydumper);
    }

    /** Loads a folder into a server with four threads, as a user that it makes: the program knows only the older form of passwords. */
    public MysqlTools.Outcome load(MysqlServer server, Path dump) throws SQLException {
        server.execute(
                "SET SESSION sql_log_bin = 0",
                "CREATE USER IF NOT EXISTS 'loader'@'%' IDENTIFIED WITH mysql_native_password BY 'loader'",
                "GRANT ALL ON *.* TO 'loader'@'%'");
        List<String> command = new ArrayList<>(DebianPackages.program(folder, folder.resolve("usr/bin/myloader")));
        command.addAll(List.of(
                "-h",
                "127.0.0.1",
                "-P",
                Integer.toString(server.port()),
                "-u",
                "loader",
                "-p",
                "loader",
                "-t",
                "4",
                "-v",
                "3",
                "-d",
                dump.toString()));
        return MysqlTools.run(command);
    }
}
