package io.tributary.testkit.server;

import java.nio.file.Path;

/**
 * MySQL's plugin for semi-sync replicas, from the distribution of {@link MysqlTools}. Servers of 8.0.31
 * can load it too.
 */
public final class SemiSyncPlugin {
    private static final String NAME = "mysql-semisync-8.0.33";
    private static final String FILE = "semisync_replica.so";

    private SemiSyncPlugin() {}

    /** The options of the same server with the plugin enabled. */
    public static MysqlOptions in(MysqlOptions options) {
        Path folder = CacheFolder.ofUser()
                .entry(NAME, into -> Archives.unzip(MysqlTools.archive(), into, "lib/plugin/" + FILE));
        return options.with(
                "--plugin-dir=" + folder.resolve("lib/plugin"),
                "--plugin-load-add=" + FILE,
                "--rpl-semi-sync-replica-enabled=ON");
    }
}
