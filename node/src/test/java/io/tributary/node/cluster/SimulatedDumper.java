package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Member;
import io.tributary.common.cluster.MemberRole;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Stage;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.replicate.FollowerCopy;
import io.tributary.dumper.replicate.Witnesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A Dumper with a list in place of files: stands, leads and is elected by the product's classes, and copies in one go. What it does in its
 * process ends with that; the list is its disk.
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
    private LastLeader last;

    private Resignation resignation;
    private long asideUntil;
    private long saidNanos;

    private Reign reign; // null while it does not lead
    private Stage pulse;
    private ElectorRoll roll;
    private Witnesses witnesses;
    private int begins;
    private final Map<String, FollowerCopy> copies = new HashMap<>();
    private final Map<String, Long> words = new HashMap<>();
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
        return reign != null;
    }

    boolean holdsLease() {
        return leads() && reign.lease().holds();
    }

    boolean isElector(Map<String, String> electors) {
        return !log.isEmpty() && copy.equals(electors.get(name));
    }

    Member member() {
        return memberNamed(name);
    }

    /** One without addresses. */
    static Member memberNamed(String name) {
        return new Member(
                name,
                Set.of(MemberRole.DUMPER),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Set.of(),
                0);
    }

    void launch() {
        tree = cluster.session(this);
        election = new ZooKeeperElection(tree, name, quorum, SimulatedCluster.LEASE, cluster);
        following = Optional.empty();
        last = new LastLeader(SimulatedCluster.LEASE, cluster);
        resignation = new Resignation(name, quorum, cluster, SimulatedCluster.PATIENCE, cluster);
        asideUntil = cluster.nanoTime();
        reign = null;
    }

    void kill() {
        tree = null;
        reign = null;
        copies.clear();
        words.clear();
    }

    /** What its thread does next. */
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

    // ---- as ClusterDumper does

    private void begin() {
        if (log.isEmpty()) {
            copy = cluster.newCopy(name);
        }
        Optional<Leader> leader;
        try {
            tree.catchUp();
            leader = tree.read(SharedTree.LEADER).flatMap(node -> node.fields().leader());
        } catch (TributaryException e) {
            if (last.leader().isEmpty()) {
                throw e;
            }
            leader = last.leader();
        }
        if (leader.isPresent() && leader.get().node().equals(name)) {
            ZooKeeperReign.end(tree, leader.get().epoch());
        } else if (leader.isPresent()) {
            election.withdraw();
            Place place = new Place(cluster, leader.get());
            if (last.is(place) && place.isRefused()) {
                ZooKeeperReign.end(tree, leader.get().epoch());
            } else {
                last.begins();
                following = leader;
            }
        } else if (cluster.nanoTime() >= asideUntil) {
            last.forget();
            tree.catchUp();
            Optional<Reign> won = election.stand(new Candidate(name, position(), copy, quorum, bound()));
            won.ifPresent(this::reign);
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

    private void reign(Reign won) {
        cluster.elected(this, won.epoch());
        reign = won;
        resignation.leads();
        saidNanos = cluster.nanoTime();
        pulse = won.pulse();
        append();
        begins = log.size();
        shown = 0;
        copies.clear();
        words.clear();
        witnesses = cluster.forgets(Sabotage.WITNESSES) ? Witnesses.all() : Witnesses.none();
        roll = new ElectorRoll(
                won,
                quorum,
                new FollowerCopy(name, copy, place(begins)),
                () -> place(shown),
                () -> List.copyOf(copies.values()),
                cluster,
                cluster.forgets(Sabotage.WITNESSES) ? Witnesses.none() : witnesses,
                () -> shown = log.size(),
                cluster);
    }

    private static BinlogPlace place(int entries) {
        return new BinlogPlace(1, entries);
    }

    private void append() {
        log.add(reign.epoch() + "/" + cluster.nextEntry());
    }

    // ---- as LeadStage, the pulse and the roll do, each on a thread of its own

    private void lead() throws Exception {
        if (!reign.lease().holds() || cluster.chance(80) || resigns()) {
            Reign over = reign;
            reign = null;
            over.close();
            return;
        }
        switch (cluster.roll(3)) {
            case 0 -> pulse.doWork();
            case 1 -> roll.doWork();
            default -> write();
        }
    }

    private boolean resigns() {
        long silent = quorum.followers() == 0 ? 0 : cluster.nanoTime() - saidNanos;
        boolean isDue =
                resignation.reason(shown, silent, 0, 0, witnesses.names()).isPresent();
        if (isDue) {
            resignation.resigns();
            asideUntil = cluster.nanoTime() + 2 * SimulatedCluster.LEASE.toNanos();
        }
        return isDue;
    }

    /** What goes on while another of its threads waits for the coordinator. */
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
                .filter(each -> witnesses.counts(each.member(), each.copy()))
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
                    counted.stream().map(each -> words.get(each.member())).toList());
            reign.lease().prove(said.get(needed - 1));
        }
        cluster.shown(this, log.subList(0, shown));
    }

    private void noteWords() {
        int needed = quorum.followers();
        if (needed > 0 && words.size() >= needed) {
            saidNanos = Math.max(saidNanos, sorted(List.copyOf(words.values())).get(needed - 1));
        }
    }

    private static List<Long> sorted(List<Long> values) {
        List<Long> sorted = new ArrayList<>(values);
        sorted.sort(Collections.reverseOrder());
        return sorted;
    }

    // ---- as FollowStage does

    private void follow() {
        SimulatedDumper leader = cluster.dumper(following.get().node());
        boolean isThere = leader.isUp()
                && leader.leads()
                && leader.reign.epoch() == following.get().epoch()
                && cluster.areLinked(this, leader);
        boolean isLeaderStill =
                tree.isCutOff || cluster.leader().equals(following) || cluster.chance(3); // it has not heard yet
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
        leader.words.put(name, asked);
        leader.noteWords();
        leader.acknowledge();
    }

    private void left(SimulatedDumper follower, Leader before) {
        if (leads() && reign.epoch() == before.epoch()) {
            copies.remove(follower.name);
            words.remove(follower.name);
        }
    }

    /** Where a leader is copied: nobody listens there once it leads no more. */
    private record Place(SimulatedCluster cluster, Leader leader) implements LastLeader.Place {
        @Override
        public boolean isRefused() {
            return !cluster.dumper(leader.node()).leads();
        }
    }

    /** What the simulation leaves out, to see that it would be found. */
    enum Sabotage {
        NOTHING,
        OLD_LEASES,
        COPIES,
        WITNESSES,
        ELECTORS
    }
}
