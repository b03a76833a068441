package io.tributary.node.sink;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.TlsMode;
import io.tributary.node.reader.ReadNodes;
import io.tributary.replay.session.Peer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The configuration keys of a node that sends the binlog of other nodes to Kafka. */
public record SinkConfig(
        From from,
        Snapshot snapshot,
        KafkaConfig kafka,
        SinkTopicsConfig topics,
        SinkMessagesConfig messages,
        SinkDeliveryConfig delivery,
        Limits limits) {
    /** Checks keys of two parts. */
    public SinkConfig {
        if (from.start.isPresent() && snapshot.address.isPresent()) {
            throw new IllegalArgumentException(
                    "sink.start: expected no sink.snapshot, which gives the start of the stream, found both");
        }
    }

    /** The nodes from which the stream is read. */
    public record From(
            @Key(
                    value = "sink.nodes",
                    required = true,
                    live = true,
                    about =
                            "MySQL addresses (serve.listen) of the nodes whose binlog is sent to Kafka, such as those of all Dumpers"
                                    + " of a cluster; one of them is read, and the next one when it does not answer.")
            List<HostPort> addresses,

            @Key(
                    value = "sink.user",
                    byDefault = "tributary",
                    live = true,
                    about = "Account on the nodes with the right to replicate.")
            String user,

            @Key(value = "sink.password", live = true, secret = true, about = "Password of sink.user.")
            Secret password,

            @Key(
                    value = "sink.tls",
                    byDefault = "preferred",
                    live = true,
                    about = "How connections to the nodes use TLS.")
            TlsMode tls,

            @Key(
                    value = "sink.name",
                    byDefault = "tributary",
                    about =
                            "Name of the progress in Kafka, and a part of the transactional id: 1 to 32 letters, digits, - and _."
                                    + " Several sinks of one stream need a name each.")
            String name,

            @Key(
                    value = "sink.start",
                    about =
                            "A GTID set that is not sent, if this name has no progress yet; not set: all that the node has is sent.")
            Optional<String> start) {
        private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,32}");

        public From {
            addresses = List.copyOf(addresses);
            if (addresses.isEmpty()) {
                throw new IllegalArgumentException("sink.nodes: expected at least one address, found none");
            }
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "sink.name: expected 1 to 32 letters, digits, - and _, found '" + name + "'");
            }
            try {
                var unused = start.map(GtidSet::parse);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("sink.start: " + e.getMessage(), e);
            }
        }
    }

    /** The server whose rows are sent before the stream. */
    public record Snapshot(
            @Key(
                    value = "sink.snapshot",
                    live = true,
                    about =
                            "MySQL server, such as 10.0.0.9:3306, that tributary seed has made from the stream and whose applier is"
                                    + " stopped: without progress, the sink first sends the rows of its tables, then the transactions after"
                                    + " them.")
            Optional<HostPort> address,

            @Key(
                    value = "sink.snapshot.user",
                    byDefault = "tributary",
                    live = true,
                    about = "Account on sink.snapshot with the right SELECT ON *.*.")
            String user,

            @Key(
                    value = "sink.snapshot.password",
                    live = true,
                    secret = true,
                    about = "Password of sink.snapshot.user.")
            Secret password,

            @Key(
                    value = "sink.snapshot.tls",
                    byDefault = "preferred",
                    live = true,
                    about = "How connections to sink.snapshot use TLS.")
            TlsMode tls) {}

    /** The limits of the sink. */
    public record Limits(
            @Key(
                    value = "sink.workers",
                    byDefault = "2",
                    min = "1",
                    max = "64",
                    about = "Threads that decode rows and encode messages.")
            int workers,

            @Key(
                    value = "sink.memory",
                    byDefault = "64MiB",
                    min = "4MiB",
                    about =
                            "Bytes of events and messages that were read and are not acknowledged by the brokers, at most; when it"
                                    + " is reached, the node is not read.")
            ByteSize memory,

            @Key(
                    value = "sink.timeout",
                    byDefault = "1min",
                    live = true,
                    min = "15s",
                    max = "1d",
                    about = "How long a node may send nothing. Nodes send a heartbeat every 10 seconds.")
            Duration timeout,

            @Key(
                    value = "sink.retry",
                    byDefault = "10s",
                    live = true,
                    min = "100ms",
                    max = "1h",
                    about = "Longest pause before the sink tries again after an error; the first one is 0.1 s.")
            Duration retry) {}

    /** The server whose rows are sent before the stream. */
    Optional<Peer> snapshotServer() {
        ReadNodes.Login login = new ReadNodes.Login(snapshot.user, snapshot.password, snapshot.tls);
        return snapshot.address.map(address -> Peer.snapshot(login.at(address), limits.timeout));
    }

    /** The nodes that are read. */
    public ReadNodes nodes() {
        return new ReadNodes(from.addresses, new ReadNodes.Login(from.user, from.password, from.tls), limits.timeout);
    }
}
