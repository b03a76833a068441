package io.tributary.node.role;

import io.tributary.collector.CollectorStages;
import io.tributary.common.config.Key;
import io.tributary.dumper.BinlogConfig;
import io.tributary.extractor.ShardFacts;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The keys that the collector's events name; the writer of the files has the same.
 *
 * @param serverId the global binlog's
 * @param serverVersion as {@code 8.0.36-tributary}; none: learned from the shards
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
                about =
                        "The server version that the binlog files and the greeting name; none: the oldest MySQL shard's"
                                + " with -tributary; of a Dumper's first file, and where all shards are MariaDB, 8.0.36-tributary.")
        Optional<String> serverVersion) {
    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d{1,2})\\.(\\d{1,2})(\\D.*)?");

    /** Checks the version's form. */
    public OriginConfig {
        serverVersion.filter(version -> !VERSION.matcher(version).matches()).ifPresent(version -> {
            throw new IllegalArgumentException(
                    "serve.version: expected a version such as 8.0.36-tributary, found '" + version + "'");
        });
    }

    /** The configured version, else that of the oldest MySQL shard with the suffix {@code -tributary}: the output is MySQL's dialect. */
    String version(Collection<ShardFacts> shards) {
        return serverVersion.orElseGet(() -> shards.stream()
                .filter(shard -> !shard.isMariadb())
                .map(ShardFacts::version)
                .min(Comparator.comparingInt(OriginConfig::number))
                .map(version -> version.replaceFirst("^(\\d+\\.\\d+\\.\\d+).*", "$1-tributary"))
                .orElse(BinlogConfig.UNKNOWN_VERSION));
    }

    /** What the collector's events name where this is the version. */
    CollectorStages.Origin origin(String version) {
        return new CollectorStages.Origin(serverId, number(version));
    }

    /** A version as GTID events write it, such as 80036. */
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
