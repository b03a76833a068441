package io.tributary.node.cluster;

import io.tributary.common.cluster.TimedLease;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A leader term in ZooKeeper: proved by writes that succeed only while no newer epoch was assigned and the leader's node exists. */
final class ZooKeeperLeaderTerm implements LeaderTerm {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLeaderTerm.class);
    private static final int PROOFS_PER_LEASE = 6;
    private static final int TRIES = 3;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final SharedTree tree;
    private final long epoch;
    private final int epochVersion;
    private final Clock clock;
    private final TimedLease lease;
    private final Duration length;
    private Optional<SharedTree.Node> voters;
    private boolean isCurrent = true; // whether these are the voters that are stored in ZooKeeper

    /**
     * The election that began the term.
     *
     * @param epoch that it assigned
     * @param epochVersion version of the node with the newest epoch, after the election
     * @param voters as they were before the election
     * @param requestedNanos when the election was requested
     */
    record WonElection(long epoch, int epochVersion, Optional<SharedTree.Node> voters, long requestedNanos) {}

    /** @param length of the lease */
    ZooKeeperLeaderTerm(SharedTree tree, WonElection won, Clock clock, Duration length) {
        this.tree = tree;
        this.epoch = won.epoch;
        this.epochVersion = won.epochVersion;
        this.voters = won.voters;
        this.clock = clock;
        this.length = length;
        this.lease = new TimedLease(clock, length, won.requestedNanos);
    }

    @Override
    public long epoch() {
        return epoch;
    }

    @Override
    public TimedLease lease() {
        return lease;
    }

    @Override
    public Optional<Voters> voters() {
        if (!isCurrent) {
            tree.sync();
            voters = tree.read(SharedTree.VOTERS);
            isCurrent = true;
        }
        return voters.map(known -> known.fields().voters());
    }

    @Override
    public boolean change(Voters to) {
        NodeRecord fields = NodeRecord.of(to);
        SharedTree.Change change = voters.isPresent()
                ? new SharedTree.Change.Write(SharedTree.VOTERS, voters.get().version(), fields)
                : new SharedTree.Change.Create(SharedTree.VOTERS, fields, false);
        isCurrent = false; // until there is an answer
        boolean isDone = tree.change(List.of(
                new SharedTree.Change.HasVersion(SharedTree.EPOCH, epochVersion),
                new SharedTree.Change.Exists(SharedTree.LEADER),
                change));
        if (isDone) {
            int version = voters.map(before -> before.version() + 1).orElse(0);
            voters = Optional.of(new SharedTree.Node(fields, version, 0, 0));
            isCurrent = true;
        }
        return isDone;
    }

    @Override
    public Stage pulse() {
        return new Pulse();
    }

    /** Requests a proof several times per lease, one request at a time unless its answer is overdue. */
    private final class Pulse implements Stage {
        private final long everyNanos = length.toNanos() / PROOFS_PER_LEASE;
        private long requestedNanos = clock.nanoTime() - everyNanos;
        private volatile long answeredNanos = requestedNanos;
        private volatile boolean isRefused;

        @Override
        public String name() {
            return "pulse";
        }

        @Override
        public int doWork() {
            if (!lease.holds()) {
                throw new TributaryException(
                        ErrorCode.EPOCH_OVER,
                        "expected this node to lead under epoch " + epoch + ", found that " + reason());
            }
            long now = clock.nanoTime();
            boolean isAnswered = answeredNanos == requestedNanos;
            boolean isDue = now - requestedNanos >= (isAnswered ? everyNanos : length.toNanos());
            if (isDue) {
                requestedNanos = now;
                prove(now);
            }
            return isDue ? 1 : 0;
        }

        private String reason() {
            return isRefused
                    ? "ZooKeeper " + found()
                    : "there was no proof for " + length.toMillis() + " ms that no other node leads";
        }

        private void prove(long asked) {
            tree.changeAsync(
                    List.of(
                            new SharedTree.Change.HasVersion(SharedTree.EPOCH, epochVersion),
                            new SharedTree.Change.Exists(SharedTree.LEADER),
                            new SharedTree.Change.Write(SharedTree.PULSE, -1, NodeRecord.none())),
                    answer -> answered(answer, asked));
        }

        private void answered(SharedTree.Answer answer, long asked) {
            if (answer == SharedTree.Answer.DONE) {
                lease.prove(asked);
            } else if (answer == SharedTree.Answer.REFUSED) {
                LOG.warn("leader term refused by zookeeper: epoch={}", epoch);
                isRefused = true;
                lease.end();
            }
            answeredNanos = asked;
        }

        /** Short, so that a process that was stopped and continues sees soon that its lease is over. */
        @Override
        public long restNanos() {
            return Math.min(everyNanos, POLL_NANOS);
        }

        @Override
        public void close() {}
    }

    /** Describes what ZooKeeper contains in place of this epoch. */
    private String found() {
        try {
            Optional<NodeRecord> now = tree.read(SharedTree.EPOCH).map(SharedTree.Node::fields);
            String number = now.flatMap(fields -> fields.text("epoch")).orElse("none");
            Optional<String> node = now.flatMap(fields -> fields.text("node"));
            if (number.equals(Long.toString(epoch))) {
                return "does not have it as leader any more";
            }
            return node.isPresent()
                    ? "has epoch " + number + " of " + node.get()
                    : "has epoch " + number
                            + ", which no election gave to a node: if no operator wrote it, protect ZooKeeper with"
                            + " cluster.zookeeper.auth";
        } catch (TributaryException e) {
            return "refused the proof, and its current epoch is not known: " + e.line();
        }
    }

    @Override
    public void close() {
        lease.end();
        end(tree, epoch);
    }

    /** Ends a term in ZooKeeper, if it is the newest. The caller knows that its leader does not lead any more and relies on no acknowledgement. */
    static void end(SharedTree tree, long epoch) {
        try {
            boolean isEnded = false;
            // the leader's node may disappear with its session at any moment
            for (int i = 0; i < TRIES && !isEnded; i++) {
                isEnded = tryToEnd(tree, epoch);
            }
        } catch (TributaryException e) { // the end of the session has the same effect, one lease later
            LOG.info("end of leader term not written to zookeeper: epoch={} error=\"{}\"", epoch, e.line());
        }
    }

    private static boolean isOf(SharedTree.Node node, long epoch) {
        return node.fields().text("epoch").filter(Long.toString(epoch)::equals).isPresent();
    }

    private static boolean tryToEnd(SharedTree tree, long epoch) {
        Optional<SharedTree.Node> last = tree.read(SharedTree.EPOCH).filter(known -> isOf(known, epoch));
        Optional<SharedTree.Node> leader = tree.read(SharedTree.LEADER);
        if (last.isEmpty()) {
            // the epoch was overwritten: delete the leader's node if it belongs to this session and to this term
            Optional<SharedTree.Node> own = leader.filter(node -> node.owner() == tree.session() && isOf(node, epoch));
            return own.isEmpty()
                    || tree.change(List.of(new SharedTree.Change.Delete(
                            SharedTree.LEADER, own.get().version())));
        }
        boolean hasLeader = leader.isPresent();
        if (!hasLeader && last.get().fields().flag("over")) {
            return true;
        }
        SharedTree.Node known = last.get();
        SharedTree.Change over = new SharedTree.Change.Write(
                SharedTree.EPOCH, known.version(), known.fields().withFlag("over"));
        return tree.change(
                hasLeader ? List.of(over, new SharedTree.Change.Delete(SharedTree.LEADER, -1)) : List.of(over));
    }
}
