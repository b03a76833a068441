package io.tributary.serve.schema;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.time.Duration;
import java.util.Optional;

/** The configuration keys of questions about schemas. */
public record SchemaProxyConfig(
        @Key(
                value = "serve.schema",
                byDefault = "history",
                about = "How statements about schemas (SHOW TABLES, information_schema) are answered:"
                        + " history, by a shard with mapped names, and from the binlog's own table"
                        + " definitions where the shard's definitions differ by now; proxy, by the shard"
                        + " as it is now; off, not at all.")
        Mode mode,

        @Key(
                value = "serve.schema.shard",
                about = "The shard that answers statements about schemas; not set: the first by name. A"
                        + " Dumper also needs this shard's shard.* keys.")
        Optional<String> shard,

        @Key(
                value = "serve.schema.user",
                about = "Account on serve.schema.shard with SELECT on the schemas that readers may see;"
                        + " not set: the shard's own account.")
        Optional<String> user,

        @Key(value = "serve.schema.password", secret = true, about = "Password of serve.schema.user.")
        Secret password,

        @Key(
                value = "serve.schema.timeout",
                byDefault = "10s",
                min = "100ms",
                max = "10min",
                about = "Maximum time for an answer of serve.schema.shard.")
        Duration timeout,

        @Key(
                value = "serve.schema.result",
                byDefault = "16MiB",
                min = "64KiB",
                max = "1GiB",
                about = "Largest answer of serve.schema.shard.")
        ByteSize result,

        @Key(
                value = "serve.schema.connections",
                byDefault = "2",
                min = "1",
                max = "64",
                about = "Maximum number of connections to serve.schema.shard; further statements wait.")
        int connections) {
    /** The source of the answers. */
    public enum Mode {
        HISTORY,
        PROXY,
        OFF
    }
}
