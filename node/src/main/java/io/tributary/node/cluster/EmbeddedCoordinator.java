package io.tributary.node.cluster;

import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Leadership;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.TimedLease;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Stage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;

/** Coordinator for one process that is the whole cluster: without a server and without other candidates. Its epoch is that of its own files. */
public final class EmbeddedCoordinator implements Coordinator, Leadership {
    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final Clock clock;
    private final Map<String, Claim> claims = new ConcurrentSkipListMap<>();
    private volatile List<ClusterMember> members = List.of();
    private volatile Optional<Leader> leader = Optional.empty();
    private volatile long newest;

    public EmbeddedCoordinator(Clock clock) {
        this.clock = clock;
    }

    @Override
    public UUID identify(Optional<UUID> kept, UUID fresh) {
        return kept.orElse(fresh);
    }

    @Override
    public Optional<UUID> identity() {
        return Optional.empty();
    }

    @Override
    public void join(ClusterMember self) {
        members = List.of(self);
    }

    @Override
    public Members members() {
        return () -> members;
    }

    @Override
    public Leadership leadership() {
        return this;
    }

    @Override
    public Optional<Leader> leader() {
        return leader;
    }

    @Override
    public Optional<Leader> readLeader() {
        return leader;
    }

    @Override
    public long newestEpoch() {
        return newest;
    }

    @Override
    public void subscribe(Runnable listener) {}

    @Override
    public void unsubscribe(Runnable listener) {}

    @Override
    public Optional<LeaderTerm> campaign(LogPosition ours, String copy, Duration bound) {
        long epoch = CutEpoch.leader(ours.epoch());
        newest = epoch;
        leader = Optional.of(new Leader(members.isEmpty() ? "" : members.get(0).id(), epoch));
        return Optional.of(new Alone(epoch, new TimedLease(clock, FOREVER, clock.nanoTime())));
    }

    @Override
    public void withdraw() {}

    @Override
    public boolean hasElected() {
        return false;
    }

    @Override
    public void supersede(long epoch) {
        leader = Optional.empty();
    }

    @Override
    public void claim(String what, long epoch) {
        claims.put(what, new Claim(what, members.isEmpty() ? "" : members.get(0).id(), epoch));
    }

    @Override
    public void release(String what) {
        claims.remove(what);
    }

    @Override
    public List<Claim> claims() {
        return List.copyOf(claims.values());
    }

    @Override
    public Optional<Move> move() {
        return Optional.empty();
    }

    @Override
    public void requestMove(Move move) {}

    @Override
    public void close() {}

    /** The leader term of the only node. */
    private static final class Alone implements LeaderTerm {
        private final long epoch;
        private final TimedLease lease;
        private volatile Optional<Voters> voters = Optional.empty();

        Alone(long epoch, TimedLease lease) {
            this.epoch = epoch;
            this.lease = lease;
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
            return voters;
        }

        @Override
        public boolean change(Voters to) {
            voters = Optional.of(to);
            return true;
        }

        @Override
        public Stage pulse() {
            return new Stage() {
                @Override
                public String name() {
                    return "pulse";
                }

                @Override
                public int doWork() {
                    return 0;
                }

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {}
    }
}
