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

/** A reign that ZooKeeper has given: proved by writes that succeed only while no newer epoch was given out and the leader's node is there. */
final class ZooKeeperReign implements Reign {
    private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperReign.class);
    private static final int PROOFS_A_LEASE = 6;
    private static final int TRIES = 3;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(25);

    private final SharedTree tree;
    private final long epoch;
    private final int epochVersion;
    private final Clock clock;
    private final TimedLease lease;
    private final Duration length;
    private Optional<SharedTree.Node> electors;
    private boolean isSure = true; // whether they are those that ZooKeeper has

    /**
     * @param epochVersion of the node that holds the newest epoch, as the election left it
     * @param electors as the election found them
     * @param askedNanos when the election was asked for
     */
    ZooKeeperReign(
            SharedTree tree,
            long epoch,
            int epochVersion,
            Optional<SharedTree.Node> electors,
            Clock clock,
            Duration length,
            long askedNanos) {
        this.tree = tree;
        this.epoch = epoch;
        this.epochVersion = epochVersion;
        this.electors = electors;
        this.clock = clock;
        this.length = length;
        this.lease = new TimedLease(clock, length, askedNanos);
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
    public Optional<Electors> electors() {
        if (!isSure) {
            tree.catchUp();
            electors = tree.read(SharedTree.ELECTORS);
            isSure = true;
        }
        return electors.map(known -> known.fields().electors());
    }

    @Override
    public boolean change(Electors to) {
        Fields fields = Fields.of(to);
        SharedTree.Change change = electors.isPresent()
                ? new SharedTree.Change.Write(
                        SharedTree.ELECTORS, electors.get().version(), fields)
                : new SharedTree.Change.Create(SharedTree.ELECTORS, fields, false);
        isSure = false; // until there is an answer
        boolean isDone = tree.change(List.of(
                new SharedTree.Change.Unchanged(SharedTree.EPOCH, epochVersion),
                new SharedTree.Change.There(SharedTree.LEADER),
                change));
        if (isDone) {
            int version = electors.map(before -> before.version() + 1).orElse(0);
            electors = Optional.of(new SharedTree.Node(fields, version, 0, 0));
            isSure = true;
        }
        return isDone;
    }

    @Override
    public Stage pulse() {
        return new Pulse();
    }

    /** Asks for proof several times a lease, one question at a time unless its answer is overdue. */
    private final class Pulse implements Stage {
        private final long everyNanos = length.toNanos() / PROOFS_A_LEASE;
        private long askedNanos = clock.nanoTime() - everyNanos;
        private volatile long answeredNanos = askedNanos;
        private volatile boolean isRefused;

        @Override
        public String name() {
            return "pulse";
        }

        @Override
        public int doWork() {
            if (!lease.holds()) {
                throw new TributaryException(
                        ErrorCode.EPOCH_OVER, "led the Dumpers under epoch " + epoch + ", " + why());
            }
            long now = clock.nanoTime();
            boolean isAnswered = answeredNanos == askedNanos;
            boolean isDue = now - askedNanos >= (isAnswered ? everyNanos : length.toNanos());
            if (isDue) {
                askedNanos = now;
                prove(now);
            }
            return isDue ? 1 : 0;
        }

        private String why() {
            return isRefused
                    ? "and ZooKeeper " + found()
                    : "and there was no proof for " + length.toMillis() + " ms that nobody else does";
        }

        private void prove(long asked) {
            tree.changeLater(
                    List.of(
                            new SharedTree.Change.Unchanged(SharedTree.EPOCH, epochVersion),
                            new SharedTree.Change.There(SharedTree.LEADER),
                            new SharedTree.Change.Write(SharedTree.PULSE, -1, Fields.none())),
                    answer -> answered(answer, asked));
        }

        private void answered(SharedTree.Answer answer, long asked) {
            if (answer == SharedTree.Answer.DONE) {
                lease.prove(asked);
            } else if (answer == SharedTree.Answer.REFUSED) {
                LOG.warn("ZooKeeper knows this node as leader of epoch {} no more", epoch);
                isRefused = true;
                lease.end();
            }
            answeredNanos = asked;
        }

        /** A process that was stopped and goes on sees soon that its lease is over. */
        @Override
        public long restNanos() {
            return Math.min(everyNanos, LOOK_NANOS);
        }

        @Override
        public void close() {}
    }

    /** What there is in place of this epoch. */
    private String found() {
        try {
            Optional<Fields> now = tree.read(SharedTree.EPOCH).map(SharedTree.Node::fields);
            String number = now.flatMap(fields -> fields.text("epoch")).orElse("none");
            Optional<String> node = now.flatMap(fields -> fields.text("node"));
            if (number.equals(Long.toString(epoch))) {
                return "does not have it as leader any more";
            }
            return node.isPresent()
                    ? "has epoch " + number + " of " + node.get()
                    : "has epoch " + number
                            + ", which no election gave to a node: somebody wrote it. If no operator did, keep"
                            + " others out of ZooKeeper with cluster.zookeeper.auth";
        } catch (TributaryException e) {
            return "refused the proof; what it has instead is not known: " + e.line();
        }
    }

    @Override
    public void close() {
        lease.end();
        end(tree, epoch);
    }

    /** Ends a reign in ZooKeeper, if it is the newest: whoever led then does so no more, and relies on nobody's word. */
    static void end(SharedTree tree, long epoch) {
        try {
            boolean isEnded = false;
            for (int i = 0; i < TRIES && !isEnded; i++) { // the leader's node may go with its session at any moment
                isEnded = tryToEnd(tree, epoch);
            }
        } catch (TributaryException e) { // the session's end does the same, a lease later
            LOG.info("epoch {} has ended, and ZooKeeper could not be told: {}", epoch, e.line());
        }
    }

    private static boolean isOf(SharedTree.Node node, long epoch) {
        return node.fields().text("epoch").filter(Long.toString(epoch)::equals).isPresent();
    }

    private static boolean tryToEnd(SharedTree tree, long epoch) {
        Optional<SharedTree.Node> last = tree.read(SharedTree.EPOCH).filter(known -> isOf(known, epoch));
        Optional<SharedTree.Node> leader = tree.read(SharedTree.LEADER);
        if (last.isEmpty()) { // somebody wrote another epoch: the leader's node is of none that anybody knows
            Optional<SharedTree.Node> own = leader.filter(node -> node.owner() == tree.session() && isOf(node, epoch));
            return own.isEmpty()
                    || tree.change(List.of(new SharedTree.Change.Delete(
                            SharedTree.LEADER, own.get().version())));
        }
        boolean hasLeader = leader.isPresent();
        if (!hasLeader && last.get().fields().isSaid("over")) {
            return true;
        }
        SharedTree.Node known = last.get();
        SharedTree.Change over = new SharedTree.Change.Write(
                SharedTree.EPOCH, known.version(), known.fields().saying("over"));
        return tree.change(
                hasLeader ? List.of(over, new SharedTree.Change.Delete(SharedTree.LEADER, -1)) : List.of(over));
    }
}
