package io.tributary.node.task;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.collector.CollectorStages;
import io.tributary.common.config.Key;
import io.tributary.extractor.ShardFacts;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys for the contents of the collector's events; the writer of the files uses the same keys.
 *
 * @param serverId of the global binlog
 * @param serverVersion such as {@code 8.0.36-tributary}; empty: derived from the shards
 */
public record OriginConfig(
        @Key(
                value = "server.id",
                byDefault = "1000",
                min = "1",
                max = "4294967295",
                about = "Server id of the global binlog; different from the server id of every shard,"
                        + " replica and other Tributary.")
        long serverId,

        @Key(
                value = "serve.version",
                about = "Server version in the binlog files and in the greeting to readers; not set: the"
                        + " version of the oldest MySQL shard followed by -tributary. 8.0.36-tributary in"
                        + " the first file of a Dumper, and if all shards are MariaDB.")
        Optional<String> serverVersion) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d{1,2})\\.(\\d{1,2})(\\D.*)?");

    /** Checks the version's form. */
    public OriginConfig {
        serverVersion.filter(version -> !VERSION.matcher(version).matches()).ifPresent(version -> {
            throw new IllegalArgumentException(
                    "serve.version: expected a version such as 8.0.36-tributary, found '" + version + "'");
        });
    }

    /** The configured version, otherwise that of the oldest MySQL shard with the suffix {@code -tributary}: the output has MySQL's format. */
    public String version(Collection<ShardFacts> shards) {
        return serverVersion.orElseGet(() -> shards.stream()
                .filter(shard -> !shard.isMariadb())
                .map(ShardFacts::version)
                .min(Comparator.comparingInt(OriginConfig::number))
                .map(version -> version.replaceFirst("^(\\d+\\.\\d+\\.\\d+).*", "$1-tributary"))
                .orElse(BinlogConfig.UNKNOWN_VERSION));
    }

    /** Server id and version for the collector's events. */
    CollectorStages.Origin origin(String version) {
        return new CollectorStages.Origin(serverId, number(version));
    }

    /** A version as in GTID events, such as 80036. */
    private static int number(String text) {
        Matcher version = VERSION.matcher(text);
        if (!version.matches()) {
            throw new IllegalArgumentException("expected a version such as 8.0.36, found '" + text + "'");
        }
        return Integer.parseInt(version.group(1)) * 10_000
                + Integer.parseInt(version.group(2)) * 100
                + Integer.parseInt(version.group(3));
    }
}
