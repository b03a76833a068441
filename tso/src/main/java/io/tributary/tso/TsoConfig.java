package io.tributary.tso;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.rpc.GrpcTlsConfig;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The configuration keys of the TSO service.
 *
 * @param enabled whether this node runs it
 * @param listen the address for clients
 * @param directory contains the high-water mark
 * @param lease the time for which a turn stays open without a message from its client
 * @param ahead how far the high-water mark is ahead of the timestamps handed out
 * @param clockJump a forward step of the clock by more than this is not followed
 * @param turns the maximum of open turns
 * @param tls the certificates with which clients and service authenticate each other
 */
public record TsoConfig(
        @Key(
                value = "tso.enabled",
                byDefault = "false",
                about = "Whether this node hands out timestamps for order.mode = tso; enable it on one"
                        + " node of a cluster.")
        boolean enabled,

        @Key(
                value = "tso.listen",
                byDefault = "127.0.0.1:3321",
                about = "Address of the TSO service. Without grpc.tls.* keep it in a private network.")
        HostPort listen,

        @Key(
                value = "tso.directory",
                byDefault = "tso",
                about = "Folder of the TSO service's high-water mark; never delete it; two services must"
                        + " not share it.")
        Path directory,

        @Key(
                value = "tso.lease",
                byDefault = "10s",
                min = "100ms",
                max = "10min",
                about = "A transaction that took a timestamp expires if its client sends nothing for"
                        + " this long; later transactions wait for it until then.")
        Duration lease,

        @Key(
                value = "tso.ahead",
                byDefault = "3s",
                min = "10ms",
                max = "1h",
                about = "How far the high-water mark on disk is ahead of the timestamps handed out;"
                        + " after a crash timestamps skip this much.")
        Duration ahead,

        @Key(
                value = "tso.clock.jump",
                byDefault = "1min",
                min = "1s",
                about = "A forward step of the machine's clock by more than this is not followed while"
                        + " the service runs.")
        Duration clockJump,

        @Key(
                value = "tso.turns",
                byDefault = "100000",
                min = "1",
                max = "10000000",
                about = "Maximum number of transactions that have a timestamp and are not prepared;"
                        + " further requests are refused.")
        int turns,

        GrpcTlsConfig tls) {

    /** The given address and folder, all other keys with their defaults; for tests and embedding. */
    static TsoConfig of(HostPort listen, Path directory) {
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
    TsoConfig withLease(Duration other) {
        return new TsoConfig(enabled, listen, directory, other, ahead, clockJump, turns, tls);
    }

    /** The same with another distance of the high-water mark. */
    TsoConfig withAhead(Duration other) {
        return new TsoConfig(enabled, listen, directory, lease, other, clockJump, turns, tls);
    }

    /** The same with another number of turns. */
    TsoConfig withTurns(int other) {
        return new TsoConfig(enabled, listen, directory, lease, ahead, clockJump, other, tls);
    }
}
