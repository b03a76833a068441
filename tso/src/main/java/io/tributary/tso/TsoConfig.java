package io.tributary.tso;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.rpc.GrpcTlsConfig;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The keys of the TSO service.
 *
 * @param enabled whether this node has it
 * @param listen where clients find it
 * @param directory holds the high-water mark
 * @param lease a turn stays open so long without a word from its client
 * @param ahead the high-water mark is so far ahead of what is handed out
 * @param clockJump a step of the clock ahead by more than this is not followed
 * @param turns open turns at most
 * @param tls how its clients and it prove themselves to each other
 */
public record TsoConfig(
        @Key(
                value = "tso.enabled",
                byDefault = "false",
                about = "Whether this node hands out timestamps for order.mode = tso; one node of a cluster does.")
        boolean enabled,

        @Key(
                value = "tso.listen",
                byDefault = "127.0.0.1:3321",
                about = "Address of the TSO service. Without grpc.tls.* keep it in a private network.")
        HostPort listen,

        @Key(
                value = "tso.directory",
                byDefault = "tso",
                about = "Folder of the TSO service's high-water mark; never delete it, no two services share one.")
        Path directory,

        @Key(
                value = "tso.lease",
                byDefault = "10s",
                min = "100ms",
                max = "10min",
                about = "A transaction that took a TSO and says nothing for so long is given up; those behind it wait"
                        + " so long.")
        Duration lease,

        @Key(
                value = "tso.ahead",
                byDefault = "3s",
                min = "10ms",
                max = "1h",
                about = "How far ahead the high-water mark is written; after a crash timestamps skip that much.")
        Duration ahead,

        @Key(
                value = "tso.clock.jump",
                byDefault = "1min",
                min = "1s",
                about = "A step ahead of the machine's clock by more than this is not followed while the service runs.")
        Duration clockJump,

        @Key(
                value = "tso.turns",
                byDefault = "100000",
                min = "1",
                max = "10000000",
                about = "Transactions that may have a TSO and not be prepared; further ones are refused.")
        int turns,

        GrpcTlsConfig tls) {

    /** This address and folder, the rest by default; for tests and embedding. */
    public static TsoConfig of(HostPort listen, Path directory) {
        return new TsoConfig(
                true,
                listen,
                directory,
                Duration.ofSeconds(10),
                Duration.ofSeconds(3),
                Duration.ofMinutes(1),
                100_000,
                GrpcTlsConfig.NONE);
    }

    /** The same with another lease. */
    public TsoConfig withLease(Duration other) {
        return new TsoConfig(enabled, listen, directory, other, ahead, clockJump, turns, tls);
    }

    /** The same with another distance of the high-water mark. */
    public TsoConfig withAhead(Duration other) {
        return new TsoConfig(enabled, listen, directory, lease, other, clockJump, turns, tls);
    }

    /** The same with another number of turns. */
    public TsoConfig withTurns(int other) {
        return new TsoConfig(enabled, listen, directory, lease, ahead, clockJump, other, tls);
    }
}
