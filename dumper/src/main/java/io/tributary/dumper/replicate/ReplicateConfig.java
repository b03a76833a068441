package io.tributary.dumper.replicate;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.rpc.GrpcTlsConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * The configuration keys for Dumpers that copy the files of another one.
 *
 * @param listen where the leader accepts followers
 * @param followers how many Dumpers copy this one
 * @param leader the Dumper whose files this one copies
 * @param member this Dumper's name among the followers
 * @param ack when readers may read what was written
 * @param read which Dumpers serve readers
 * @param chunk bytes of a file in one message
 * @param credit bytes that may be sent ahead of the bytes that a follower has written
 * @param keepAlive after this time without a message one side asks the other for a sign of life
 * @param tls how the nodes authenticate each other
 */
public record ReplicateConfig(
        @Key(
                value = "dumper.listen",
                byDefault = "127.0.0.1:3322",
                about = "Address on which a Dumper accepts its followers if dumper.followers is 1 or more.")
        HostPort listen,

        @Key(
                value = "dumper.followers",
                byDefault = "0",
                min = "0",
                max = "64",
                about = "How many followers copy this Dumper's files; 0: none, and dumper.listen is not used.")
        int followers,

        @Key(
                value = "dumper.leader",
                about = "Address of the Dumper whose files this one copies; not set: this Dumper writes"
                        + " its own files.")
        Optional<HostPort> leader,

        @Key(
                value = "dumper.member",
                about = "Name of this Dumper, unique among the followers of one leader; not set: host and folder.")
        Optional<String> member,

        @Key(
                value = "dumper.ack",
                about = "When readers may see a transaction: leader, when it is on the leader's disk;"
                        + " one, when it is also on the disk of one follower; majority, when it is on the"
                        + " disks of more than half of the Dumpers; not set: one if there are followers.")
        Optional<Acknowledgement> ack,

        @Key(
                value = "dumper.read",
                byDefault = "leader",
                about = "Which Dumpers serve readers: leader (only the leader) or any.")
        ReadFrom read,

        @Key(
                value = "dumper.chunk",
                byDefault = "1MiB",
                min = "4KiB",
                max = "16MiB",
                about = "Bytes of a file in one message to a follower.")
        ByteSize chunk,

        @Key(
                value = "dumper.credit",
                byDefault = "8MiB",
                min = "64KiB",
                max = "1GiB",
                about = "Bytes that a leader sends ahead of the bytes that a follower has written.")
        ByteSize credit,

        @Key(
                value = "dumper.keepalive",
                byDefault = "2s",
                min = "100ms",
                max = "1min",
                about = "After this long without a message leader and follower ask each other for a sign"
                        + " of life. The follower opens the connection and asks after 10 s at the"
                        + " earliest; this is gRPC's minimum.")
        Duration keepAlive,

        GrpcTlsConfig tls) {

    /** Space in a message besides the file's bytes: names, and the list of files. */
    private static final int OVERHEAD = 4 << 20;

    public ReplicateConfig {
        if (leader.isPresent() && followers > 0) {
            throw new IllegalArgumentException(
                    "dumper.leader and dumper.followers: expected one of them, found both: a follower is not copied");
        }
    }

    /** Whether this Dumper has followers. */
    public boolean isCopied() {
        return followers > 0;
    }

    /**
     * How many of the Dumpers that are configured one by one must have the bytes.
     *
     * @throws IllegalArgumentException when no Dumper would acknowledge
     */
    public Quorum quorum() {
        if (ack.isPresent() && ack.get() != Acknowledgement.LEADER && followers == 0 && leader.isEmpty()) {
            throw new IllegalArgumentException("dumper.ack = " + ack.get()
                    + ": expected dumper.followers of at least 1 with it, found 0: no Dumper would acknowledge");
        }
        return quorum(followers + 1);
    }

    /** How many of a number of Dumpers must have the bytes. */
    public Quorum quorum(int dumpers) {
        return new Quorum(dumpers, ack.orElse(dumpers > 1 ? Acknowledgement.ONE : Acknowledgement.LEADER));
    }

    /** Size of the largest message, in both directions. */
    int message() {
        return (int) chunk.bytes() + OVERHEAD;
    }

    /** How many messages may be sent before the follower has processed them. */
    int messagesAhead() {
        return (int) Math.max(2, credit.bytes() / chunk.bytes());
    }
}
