package io.tributary.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The start options of a test server.
 *
 * @param release the release of the server
 * @param name for messages and for the folder's name
 * @param folder of the data, which stay after {@code close()}; empty for a temporary folder that is deleted
 * @param serverId 0 for an id derived from its port, which no other server on this machine has
 * @param machine on which it runs
 * @param extra more mysqld options, such as {@code --binlog-checksum=NONE}; they override the testkit's options
 */
public record MysqlOptions(
        MysqlRelease release, String name, Optional<Path> folder, int serverId, Machine machine, List<String> extra) {
    public MysqlOptions {
        extra = List.copyOf(extra);
    }

    public static MysqlOptions named(String name) {
        return new MysqlOptions(MysqlRelease.MYSQL_8_0_31, name, Optional.empty(), 0, Machine.LOOPBACK, List.of());
    }

    /** Sets another release. Call it before the options, because they depend on the release. */
    public MysqlOptions of(MysqlRelease other) {
        return new MysqlOptions(other, name, folder, serverId, machine, extra);
    }

    /** Keeps data, log and socket in this folder, which is created if necessary. An existing data folder is used unchanged. */
    public MysqlOptions in(Path place) {
        return new MysqlOptions(release, name, Optional.of(place), serverId, machine, extra);
    }

    public MysqlOptions serverId(int id) {
        return new MysqlOptions(release, name, folder, id, machine, extra);
    }

    /** Runs it on this machine. */
    public MysqlOptions on(Machine other) {
        return new MysqlOptions(release, name, folder, serverId, other, extra);
    }

    /** Adds mysqld options in the form of its command line. */
    public MysqlOptions with(String... options) {
        List<String> all = new ArrayList<>(extra);
        all.addAll(List.of(options));
        return new MysqlOptions(release, name, folder, serverId, machine, all);
    }
}
