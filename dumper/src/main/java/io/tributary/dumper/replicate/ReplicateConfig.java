package io.tributary.dumper.replicate;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.ByteSize;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.rpc.GrpcTlsConfig;
import java.time.Duration;
import java.util.Optional;

/**
 * The keys of Dumpers that copy another's files.
 *
 * @param listen where the leader takes followers
 * @param followers how many Dumpers copy this one
 * @param leader whose files this one copies
 * @param member this Dumper's name among the followers
 * @param ack when readers may see what was written
 * @param read where readers may read
 * @param chunk bytes in one message
 * @param credit bytes that may come ahead of what a follower has written
 * @param keepAlive after this long without a word a side asks the other whether it lives
 * @param tls how the nodes prove themselves to each other
 */
public record ReplicateConfig(
        @Key(
                value = "dumper.listen",
                byDefault = "127.0.0.1:3322",
                about = "Address at which a Dumper is copied by its followers, where dumper.followers is 1 or more.")
        HostPort listen,

        @Key(
                value = "dumper.followers",
                byDefault = "0",
                min = "0",
                max = "64",
                about = "How many followers copy this Dumper's files; 0: none, nobody is listened for.")
        int followers,

        @Key(
                value = "dumper.leader",
                about = "Address of the Dumper whose files this one copies; none: it writes its own.")
        Optional<HostPort> leader,

        @Key(
                value = "dumper.member",
                about = "This Dumper's name among those who copy the same leader; none: host and folder.")
        Optional<String> member,

        @Key(
                value = "dumper.ack",
                about = "When readers may see what was written: leader, once it is on the leader's disk; one, once a"
                        + " follower has it too; majority, once more than half of the Dumpers have it; none: one where there"
                        + " are followers.")
        Optional<Acknowledgement> ack,

        @Key(
                value = "dumper.read",
                byDefault = "leader",
                about = "Which Dumpers serve readers: the leader alone, or any.")
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
                about = "Bytes that a leader sends ahead of what a follower has written.")
        ByteSize credit,

        @Key(
                value = "dumper.keepalive",
                byDefault = "2s",
                min = "100ms",
                max = "1min",
                about =
                        "After this long without a word leader and follower ask each other for a sign of life; the follower, who calls, never sooner"
                                + " than after 10 s, which is gRPC's least.")
        Duration keepAlive,

        GrpcTlsConfig tls) {

    /** Room in a message beside the file's bytes: names, and the list of files. */
    private static final int BESIDE = 4 << 20;

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
     * How many Dumpers it takes, of those that are configured one by one.
     *
     * @throws IllegalArgumentException when nobody would acknowledge
     */
    public Quorum quorum() {
        if (ack.isPresent() && ack.get() != Acknowledgement.LEADER && followers == 0 && leader.isEmpty()) {
            throw new IllegalArgumentException("dumper.ack = " + ack.get()
                    + ": expected dumper.followers of 1 at least with it, found 0: nobody would acknowledge");
        }
        return quorum(followers + 1);
    }

    /** How many of so many Dumpers it takes. */
    public Quorum quorum(int dumpers) {
        return new Quorum(dumpers, ack.orElse(dumpers > 1 ? Acknowledgement.ONE : Acknowledgement.LEADER));
    }

    /** The largest message, on either side. */
    int message() {
        return (int) chunk.bytes() + BESIDE;
    }

    /** How many messages may come ahead. */
    int messagesAhead() {
        return (int) Math.max(2, credit.bytes() / chunk.bytes());
    }
}
