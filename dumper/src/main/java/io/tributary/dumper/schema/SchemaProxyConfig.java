package io.tributary.dumper.schema;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.time.Duration;
import java.util.Optional;

/** The keys of questions about schemas. */
public record SchemaProxyConfig(
        @Key(
                value = "serve.schema",
                byDefault = "history",
                about =
                        "Who answers questions about schemas (SHOW TABLES, information_schema): history, a shard with names"
                                + " mapped, and the binlog's own definitions of tables where the shard's are others by now; proxy, the"
                                + " shard as it is now; off, nobody.")
        Mode mode,

        @Key(
                value = "serve.schema.shard",
                about =
                        "The shard that answers them; none: the first by name. Also a Dumper needs this shard's shard.* keys.")
        Optional<String> shard,

        @Key(
                value = "serve.schema.user",
                about =
                        "Account on that shard with SELECT on what readers may see the schema of; none: the shard's own.")
        Optional<String> user,

        @Key(value = "serve.schema.password", secret = true, about = "Password of that account.")
        Secret password,

        @Key(
                value = "serve.schema.timeout",
                byDefault = "10s",
                min = "100ms",
                max = "10min",
                about = "Longest time that the shard may take for an answer.")
        Duration timeout,

        @Key(
                value = "serve.schema.result",
                byDefault = "16MiB",
                min = "64KiB",
                max = "1GiB",
                about = "Largest answer of the shard.")
        ByteSize result,

        @Key(
                value = "serve.schema.connections",
                byDefault = "2",
                min = "1",
                max = "64",
                about = "Connections to the shard at most; further questions wait.")
        int connections) {
    /** Who answers. */
    public enum Mode {
        HISTORY,
        PROXY,
        OFF
    }
}
