package io.tributary.node.role;

import io.tributary.collector.CollectorStages;
import io.tributary.common.config.Key;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys that the collector's events name; the writer of the files has the same.
 *
 * @param serverId the global binlog's
 * @param serverVersion as {@code 8.0.36-tributary}
 */
public record OriginConfig(
        @Key(
                value = "server.id",
                byDefault = "1000",
                min = "1",
                max = "4294967295",
                about = "Server id of the global binlog; unlike that of any shard, replica or other Tributary.")
        long serverId,

        @Key(
                value = "serve.version",
                byDefault = "8.0.36-tributary",
                about = "The server version that the binlog files and the greeting name.")
        String serverVersion) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d{1,2})\\.(\\d{1,2})(\\D.*)?");

    /** Checks the version's form. */
    public OriginConfig {
        if (!VERSION.matcher(serverVersion).matches()) {
            throw new IllegalArgumentException(
                    "serve.version: expected a version such as 8.0.36-tributary, found '" + serverVersion + "'");
        }
    }

    /** The version as GTID events write it, such as 80036. */
    CollectorStages.Origin origin() {
        Matcher version = VERSION.matcher(serverVersion);
        if (!version.matches()) {
            throw new IllegalStateException("checked when it was made");
        }
        int number = Integer.parseInt(version.group(1)) * 10_000
                + Integer.parseInt(version.group(2)) * 100
                + Integer.parseInt(version.group(3));
        return new CollectorStages.Origin(serverId, number);
    }
}
