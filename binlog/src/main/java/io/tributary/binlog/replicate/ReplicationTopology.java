package io.tributary.binlog.replicate;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.util.Optional;

/**
 * The keys for Dumpers that are configured one by one: which one copies which, and how many must have a transaction.
 *
 * @param followers how many Dumpers copy this one
 * @param leader the Dumper whose files this one copies
 * @param member this Dumper's name among the followers
 * @param ack when readers may read what was written
 */
public record ReplicationTopology(
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
        Optional<Acknowledgement> ack) {
    public ReplicationTopology {
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
}
