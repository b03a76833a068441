package io.tributary.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a test server is started with.
 *
 * @param release which server
 * @param name shown in messages and part of its folder's name
 * @param folder where the data stand and stay after {@code close()}; empty for a temporary folder that is deleted
 * @param serverId 0 for one made from its port, which no other server on this machine has
 * @param machine where it runs
 * @param extra more mysqld options, such as {@code --binlog-checksum=NONE}; they win over the testkit's own
 */
public record MysqlOptions(
        MysqlRelease release, String name, Optional<Path> folder, int serverId, Machine machine, List<String> extra) {
    public MysqlOptions {
        extra = List.copyOf(extra);
    }

    public static MysqlOptions named(String name) {
        return new MysqlOptions(MysqlRelease.MYSQL_8_0_31, name, Optional.empty(), 0, Machine.LOOPBACK, List.of());
    }

    /** Starts another release; before the options, which are its own. */
    public MysqlOptions of(MysqlRelease other) {
        return new MysqlOptions(other, name, folder, serverId, machine, extra);
    }

    /** Keeps data, log and socket in this folder, made if it is not there; a data folder that is there is used as it is. */
    public MysqlOptions in(Path place) {
        return new MysqlOptions(release, name, Optional.of(place), serverId, machine, extra);
    }

    public MysqlOptions serverId(int id) {
        return new MysqlOptions(release, name, folder, id, machine, extra);
    }

    /** Runs it there. */
    public MysqlOptions on(Machine other) {
        return new MysqlOptions(release, name, folder, serverId, other, extra);
    }

    /** Adds mysqld options as they stand on its command line. */
    public MysqlOptions with(String... options) {
        List<String> all = new ArrayList<>(extra);
        all.addAll(List.of(options));
        return new MysqlOptions(release, name, folder, serverId, machine, all);
    }
}
