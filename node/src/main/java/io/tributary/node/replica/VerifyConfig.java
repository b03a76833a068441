package io.tributary.node.replica;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The configuration keys of the schedule on which a node compares its replicas with the shards. */
public record VerifyConfig(
        @Key(
                value = "verify.every",
                live = true,
                min = "1s",
                max = "366d",
                about = "How often the node that serves the binlog compares the replicas of verify.replica with the"
                        + " shards, such as 24h; not set: never.")
        Optional<Duration> every,

        @Key(
                value = "verify.at",
                byDefault = "2h",
                live = true,
                min = "0s",
                max = "1d",
                about = "Time after 00:00 UTC at which a comparison begins, such as 2h; the others follow every"
                        + " verify.every. With a period that does not divide a day it is counted from 1970-01-01.")
        Duration at,

        @Key(
                value = "verify.replica",
                live = true,
                about = "Addresses of the replicas that are compared, one after another.")
        List<HostPort> replicas,

        @Key(
                value = "verify.user",
                byDefault = "tributary",
                live = true,
                about = "Account on the replicas with SELECT and REPLICATION CLIENT.")
        String user,

        @Key(value = "verify.password", live = true, secret = true, about = "Password of verify.user.")
        Secret password,

        @Key(
                value = "verify.tls",
                byDefault = "preferred",
                live = true,
                about = "How connections to the replicas use TLS.")
        TlsMode tls,

        @Key(
                value = "verify.tables",
                live = true,
                about = "Patterns of the tables that are compared, such as 'shop.*,!shop.log_*'; not set: all.")
        Optional<String> tables,

        VerifyLimits limits) {
    /** Whether there is anything to do. */
    public boolean isOn() {
        return every.isPresent();
    }

    /** A replica with the account on it. */
    Endpoint endpoint(HostPort replica) {
        return Endpoint.of(replica.host(), replica.port(), user, password == null ? "" : password.reveal())
                .with(tls);
    }

    /** Whether two of them differ in what a schedule is, not in how a comparison is done. */
    boolean hasTurnsOf(VerifyConfig other) {
        return every.equals(other.every) && at.equals(other.at) && replicas.equals(other.replicas);
    }

    /** The limits of a comparison on the schedule. */
    public record VerifyLimits(
            @Key(
                    value = "verify.rate",
                    byDefault = "10000",
                    live = true,
                    min = "0",
                    max = "100000000",
                    about = "Rows per second that are compared, at most; 0: no limit.")
            int rate,

            @Key(
                    value = "verify.chunk",
                    byDefault = "2000",
                    live = true,
                    min = "10",
                    max = "100000",
                    about = "Rows that one statement of a comparison reads, at most.")
            int chunk,

            @Key(
                    value = "verify.sample",
                    byDefault = "100",
                    live = true,
                    min = "1",
                    max = "100",
                    about = "Percent of the chunks of each table that are compared, always the same ones.")
            int sample,

            @Key(
                    value = "verify.max-load",
                    byDefault = "20",
                    live = true,
                    min = "0",
                    max = "100000",
                    about = "A comparison pauses while a shard or the replica has more running threads"
                            + " (Threads_running); 0: it never pauses.")
            int maxLoad,

            @Key(
                    value = "verify.wait",
                    byDefault = "1min",
                    live = true,
                    min = "1s",
                    max = "1d",
                    about = "How long a replica may lag during a comparison; if it lags more, the comparison fails.")
            Duration lag,

            @Key(
                    value = "verify.search",
                    byDefault = "256MiB",
                    live = true,
                    about = "Bytes of the newest binlog files that are searched for the last change of rows that"
                            + " differ; 0B: no search.")
            ByteSize search) {}
}
