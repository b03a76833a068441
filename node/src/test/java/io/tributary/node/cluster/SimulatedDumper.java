package io.tributary.node.cluster;

import io.tributary.binlog.file.FileOffset;
import io.tributary.binlog.replicate.CountedVoters;
import io.tributary.binlog.replicate.FollowerCopy;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Stage;
import io.tributary.node.dumper.LeaderHistory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Simulated Dumper with a list in place of files: it is a candidate, is elected and leads with the product's classes, and copies in one step. The
 * list is its disk, which stays when its process ends.
 */
final class SimulatedDumper {
    private final SimulatedCluster cluster;
    final String name;
    final List<String> log = new ArrayList<>();
    private String copy;
    Quorum quorum;
    SimulatedTree tree; // null while it is down
    boolean isPaused;
    private ZooKeeperElection election;
    private Optional<Leader> following = Optional.empty();
    private LeaderHistory last;

    private ResignPolicy policy;
    private long asideUntil;
    private long receivedNanos;

    private LeaderTerm term; // null while it does not lead
    private Stage pulse;
    private VoterRegistry voterRegistry;
    private CountedVoters countedVoters;
    private int begins;
    private final Map<String, FollowerCopy> copies = new HashMap<>();
    private final Map<String, Long> messages = new HashMap<>();
    private int shown;

    SimulatedDumper(SimulatedCluster cluster, String name, Quorum quorum) {
        this.cluster = cluster;
        this.name = name;
        this.quorum = quorum;
    }

    boolean isUp() {
        return tree != null;
    }

    boolean leads() {
        return term != null;
    }

    boolean holdsLease() {
        return leads() && term.lease().holds();
    }

    boolean isVoter(Map<String, String> voters) {
        return !log.isEmpty() && copy.equals(voters.get(name));
    }

    ClusterMember member() {
        return memberNamed(name);
    }

    /** A member without addresses. */
    static ClusterMember memberNamed(String name) {
        return new ClusterMember(
                name,
                Set.of(MemberRole.DUMPER),
                new ClusterMember.Addresses(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()),
                Set.of(),
                0);
    }

    void launch() {
        tree = cluster.session(this);
        election = new ZooKeeperElection(tree, name, quorum, SimulatedCluster.LEASE, cluster);
        following = Optional.empty();
        last = new LeaderHistory(SimulatedCluster.LEASE, cluster);
        policy = new ResignPolicy(name, quorum, cluster, SimulatedCluster.TIMEOUT, cluster);
        asideUntil = cluster.nanoTime();
        term = null;
    }

    void kill() {
        tree = null;
        term = null;
        copies.clear();
        messages.clear();
    }

    /** The next step of its thread. */
    void step() throws Exception {
        try {
            if (leads()) {
                lead();
            } else if (following.isPresent()) {
                follow();
            } else {
                begin();
            }
        } catch (SimulatedTree.Died e) {
            kill();
        } catch (TributaryException e) {
            switch (e.code()) {
                case CLUSTER_UNREACHABLE, EPOCH_OVER -> {}
                default -> throw e;
            }
        }
    }

    // ---- like ClusterDumper

    private void begin() {
        if (log.isEmpty()) {
            copy = cluster.newCopy(name);
        }
        Optional<Leader> leader;
        try {
            tree.sync();
            leader = tree.read(SharedTree.LEADER).flatMap(node -> node.fields().leader());
        } catch (TributaryException e) {
            if (last.leader().isEmpty()) {
                throw e;
            }
            leader = last.leader();
        }
        if (leader.isPresent() && leader.get().node().equals(name)) {
            ZooKeeperLeaderTerm.end(tree, leader.get().epoch());
        } else if (leader.isPresent()) {
            election.withdraw();
            Place place = new Place(cluster, leader.get());
            if (last.is(place) && place.isRefused()) {
                ZooKeeperLeaderTerm.end(tree, leader.get().epoch());
            } else {
                last.copyBegins();
                following = leader;
            }
        } else if (cluster.nanoTime() >= asideUntil) {
            last.forget();
            tree.sync();
            Optional<LeaderTerm> won = election.campaign(new Candidate(name, position(), copy, quorum, bound()));
            won.ifPresent(this::term);
        }
    }

    private LogPosition position() {
        return log.isEmpty()
                ? LogPosition.NOTHING
                : new LogPosition(CutEpoch.of(epochOf(log.get(log.size() - 1))), 1, log.size(), log.size());
    }

    private static long epochOf(String entry) {
        return Long.parseLong(entry.substring(0, entry.indexOf('/')));
    }

    private Duration bound() {
        return log.isEmpty() || cluster.forgets(Sabotage.OLD_LEASES) ? Duration.ZERO : last.bound();
    }

    private void term(LeaderTerm won) {
        cluster.elected(this, won.epoch());
        term = won;
        policy.leads();
        receivedNanos = cluster.nanoTime();
        pulse = won.pulse();
        append();
        begins = log.size();
        shown = 0;
        copies.clear();
        messages.clear();
        countedVoters = cluster.forgets(Sabotage.COUNTED_VOTERS) ? CountedVoters.all() : CountedVoters.none();
        voterRegistry = new VoterRegistry(
                won,
                quorum,
                new VoterRegistry.ReplicatedLog(
                        new FollowerCopy(name, copy, place(begins)),
                        () -> List.copyOf(copies.values()),
                        () -> place(shown),
                        () -> shown = log.size(),
                        cluster.forgets(Sabotage.COUNTED_VOTERS) ? CountedVoters.none() : countedVoters),
                cluster,
                cluster);
    }

    private static FileOffset place(int entries) {
        return new FileOffset(1, entries);
    }

    private void append() {
        log.add(term.epoch() + "/" + cluster.nextEntry());
    }

    // ---- like LeadStage, the pulse and the VoterRegistry, which each have their own thread

    private void lead() throws Exception {
        if (!term.lease().holds() || cluster.chance(80) || resigns()) {
            LeaderTerm over = term;
            term = null;
            over.close();
            return;
        }
        switch (cluster.roll(3)) {
            case 0 -> pulse.doWork();
            case 1 -> voterRegistry.doWork();
            default -> write();
        }
    }

    private boolean resigns() {
        long silent = quorum.followers() == 0 ? 0 : cluster.nanoTime() - receivedNanos;
        boolean isDue =
                policy.reason(shown, silent, 0, 0, countedVoters.names()).isPresent();
        if (isDue) {
            policy.resigns();
            asideUntil = cluster.nanoTime() + 2 * SimulatedCluster.LEASE.toNanos();
        }
        return isDue;
    }

    /** Runs while another of its threads waits for the coordinator. */
    void write() {
        if (!holdsLease()) {
            return;
        }
        append();
        acknowledge();
    }

    void acknowledge() {
        if (!holdsLease()) {
            return;
        }
        List<FollowerCopy> counted = copies.values().stream()
                .filter(each -> countedVoters.counts(each.member(), each.copy()))
                .toList();
        int needed = cluster.forgets(Sabotage.COPIES) ? Math.min(1, quorum.followers()) : quorum.followers();
        if (needed == 0) {
            shown = shown == 0 ? 0 : log.size();
        } else if (counted.size() >= needed) {
            long enough = sorted(
                            counted.stream().map(each -> each.place().offset()).toList())
                    .get(needed - 1);
            shown = enough >= begins ? (int) Math.max(shown, enough) : shown;
            List<Long> said = sorted(
                    counted.stream().map(each -> messages.get(each.member())).toList());
            term.lease().prove(said.get(needed - 1));
        }
        cluster.shown(this, log.subList(0, shown));
    }

    private void noteMessages() {
        int needed = quorum.followers();
        if (needed > 0 && messages.size() >= needed) {
            receivedNanos = Math.max(
                    receivedNanos, sorted(List.copyOf(messages.values())).get(needed - 1));
        }
    }

    private static List<Long> sorted(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        sorted.sort(Collections.reverseOrder());
        return sorted;
    }

    // ---- like FollowStage

    private void follow() {
        SimulatedDumper leader = cluster.dumper(following.get().node());
        boolean isThere = leader.isUp()
                && leader.leads()
                && leader.term.epoch() == following.get().epoch()
                && cluster.areLinked(this, leader);
        boolean isLeaderStill =
                tree.isCutOff || cluster.leader().equals(following) || cluster.chance(3); // not notified yet
        if (!isThere || !isLeaderStill) {
            leader.left(this, following.get());
            following = Optional.empty();
            return;
        }
        if (leader.isPaused) {
            return;
        }
        long asked = cluster.nanoTime();
        last.confirmed(new Place(cluster, following.get()), asked);
        int same = 0;
        while (same < log.size() && same < leader.log.size() && log.get(same).equals(leader.log.get(same))) {
            same++;
        }
        log.subList(same, log.size()).clear();
        int end = same + cluster.roll(leader.log.size() - same + 1);
        log.addAll(leader.log.subList(same, end));
        leader.copies.put(name, new FollowerCopy(name, copy, place(log.size())));
        leader.messages.put(name, asked);
        leader.noteMessages();
        leader.acknowledge();
    }

    private void left(SimulatedDumper follower, Leader before) {
        if (leads() && term.epoch() == before.epoch()) {
            copies.remove(follower.name);
            messages.remove(follower.name);
        }
    }

    /** Address of a leader for followers: connections are refused when it does not lead any more. */
    private record Place(SimulatedCluster cluster, Leader leader) implements LeaderHistory.Place {
        @Override
        public boolean isRefused() {
            return !cluster.dumper(leader.node()).leads();
        }
    }

    /** Protections that the simulation leaves out, to check that it detects that. */
    enum Sabotage {
        NOTHING,
        OLD_LEASES,
        COPIES,
        COUNTED_VOTERS,
        VOTERS
    }
}
