package io.tributary.node.task;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.util.List;

/**
 * The keys of one relay, {@code relay.<name>.*}.
 *
 * @param address at which it listens
 * @param shards that it reads
 */
public record RelayConfig(
        @Key(value = "address", required = true, about = "Address at which the relay listens: its transmit.listen.")
        HostPort address,

        @Key(
                value = "shards",
                required = true,
                about = "The shards that the relay reads for this node; all shards of the relay, and"
                        + " each of them must also be configured under shard.*.")
        List<String> shards) {}
