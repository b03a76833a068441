package io.tributary.binlog.replicate;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;

/**
 * The configuration keys for Dumpers that copy the files of another one.
 *
 * @param listen where the leader accepts followers
 * @param topology which Dumper copies which
 * @param read which Dumpers serve readers
 * @param transport the connections between them
 */
public record ReplicateConfig(
        @Key(
                value = "dumper.listen",
                byDefault = "127.0.0.1:3322",
                about = "Address on which a Dumper accepts its followers if dumper.followers is 1 or more.")
        HostPort listen,

        ReplicationTopology topology,

        @Key(
                value = "dumper.read",
                byDefault = "leader",
                about = "Which Dumpers serve readers: leader (only the leader) or any.")
        ReadFrom read,

        ReplicationTransport transport) {}
