package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.ClusterMember;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Members;
import io.tributary.common.cluster.Quorum;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.cluster.SimulatedDumper.Sabotage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Simulated cluster of Dumpers on one thread, in which a seed chooses each next step. Dumpers append, copy, acknowledge and are elected. Processes
 * die or stop between any two requests to the coordinator, lose answers, sessions, connections and their disks, and start again with another
 * configuration. Checks that data that a reader has seen stays, and that no leader's lease is valid once another leader was elected.
 */
final class SimulatedCluster implements Clock, Members {
    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final long CALM_STEP = 20_000_000;
    private static final int STEPS = 500;

    private final Random random;
    private final Sabotage sabotage;
    private final SimulatedTree.Store store = new SimulatedTree.Store();
    private final List<SimulatedDumper> dumpers = new ArrayList<>();
    private final List<Quorum> quorums = new ArrayList<>();
    private final Set<String> wiped = new HashSet<>(); // are not voters again yet
    private final Set<String> broken = new HashSet<>(); // links
    private final Map<String, Long> confirmedNanos = new HashMap<>(); // last request of each at the coordinator
    private List<String> shown = List.of();
    private long now = 1;
    private long sessions;
    private int entries;
    private int copies;
    private boolean isNested;
    private boolean isCalm;

    SimulatedCluster(long seed, Sabotage sabotage) {
        this.random = new Random(seed);
        this.sabotage = sabotage;
        int count = 1 + random.nextInt(5);
        for (int i = 0; i < 2; i++) {
            Acknowledgement ack = List.of(Acknowledgement.values()).get(random.nextInt(3));
            quorums.add(new Quorum(count + (i > 0 && random.nextInt(4) == 0 ? 1 : 0), ack));
        }
        for (int i = 0; i < count; i++) {
            SimulatedDumper dumper = new SimulatedDumper(this, "d" + i, quorums.get(0));
            dumpers.add(dumper);
            dumper.launch();
        }
    }

    /** Nothing happens except what the test does. */
    SimulatedCluster(Quorum quorum) {
        this.random = new Random(quorum.dumpers());
        this.sabotage = Sabotage.NOTHING;
        this.isCalm = true;
        for (int i = 0; i < quorum.dumpers(); i++) {
            SimulatedDumper dumper = new SimulatedDumper(this, "d" + i, quorum);
            dumpers.add(dumper);
            dumper.launch();
            dumper.tree.isCalm = true;
        }
    }

    /** Lets time pass until the condition holds, up to a limit; returns the time that has passed. */
    Duration pass(Duration most, BooleanSupplier isOver) throws Exception {
        long began = now;
        for (int i = 0; now - began < most.toNanos() && !isOver.getAsBoolean(); i++) {
            now += CALM_STEP;
            dumpers.get(i % dumpers.size()).step();
        }
        return Duration.ofNanos(now - began);
    }

    int shownEntries() {
        return shown.size();
    }

    /** Interrupts the connection between two nodes from now on. */
    void separate(String one, String other) {
        broken.add(one + other);
    }

    void run() throws Exception {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        recover();
    }

    // ---- called by the Dumpers

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long epochMicros() {
        return random.nextLong(); // nothing may depend on the date
    }

    @Override
    public List<ClusterMember> list() {
        return dumpers.stream()
                .filter(each -> each.isUp() || random.nextBoolean())
                .map(SimulatedDumper::member)
                .toList();
    }

    boolean forgets(Sabotage what) {
        return sabotage == what;
    }

    boolean chance(int of) {
        return !isCalm && random.nextInt(of) == 0;
    }

    int roll(int sides) {
        return random.nextInt(sides);
    }

    int nextEntry() {
        return ++entries;
    }

    String newCopy(String name) {
        return name + "-" + ++copies;
    }

    SimulatedDumper dumper(String name) {
        return dumpers.stream()
                .filter(each -> each.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    boolean areLinked(SimulatedDumper one, SimulatedDumper other) {
        return !broken.contains(one.name + other.name) && !broken.contains(other.name + one.name);
    }

    Optional<Leader> leader() {
        return store.at(SharedTree.LEADER).flatMap(node -> node.fields().leader());
    }

    SimulatedTree session(SimulatedDumper dumper) {
        SimulatedTree tree = new SimulatedTree(
                store,
                ++sessions,
                random,
                () -> meanwhile(dumper),
                () -> confirmedNanos.put(dumper.name, now),
                sabotage == Sabotage.VOTERS);
        confirmedNanos.put(dumper.name, now);
        return tree;
    }

    // ---- invariants

    void elected(SimulatedDumper winner, long epoch) {
        for (SimulatedDumper other : dumpers) {
            assertTrue(
                    other == winner || !other.holdsLease(),
                    other.name + " still holds its lease when " + winner.name + " is elected under epoch " + epoch);
        }
        assertHas(winner, "was elected under epoch " + epoch);
    }

    void shown(SimulatedDumper leader, List<String> now) {
        int both = Math.min(now.size(), shown.size());
        assertEquals(shown.subList(0, both), now.subList(0, both), leader.name + " shows other data");
        if (now.size() > shown.size()) {
            shown = List.copyOf(now);
        }
    }

    private void assertHas(SimulatedDumper dumper, String why) {
        assertTrue(
                dumper.log.size() >= shown.size()
                        && dumper.log.subList(0, shown.size()).equals(shown),
                () -> dumper.name + " " + why + " with " + dumper.log + ", readers have seen " + shown + "; voters "
                        + store.at(SharedTree.VOTERS));
    }

    // ---- events

    /** Other Dumpers run while this one is stopped right before its request. */
    private void meanwhile(SimulatedDumper caller) {
        if (isNested || isCalm || random.nextInt(12) > 0) {
            return;
        }
        isNested = true;
        caller.isPaused = random.nextBoolean(); // or only the requesting thread waits
        try {
            for (int i = random.nextInt(12); i > 0; i--) {
                stepOf(caller);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            caller.isPaused = false;
            isNested = false;
        }
    }

    private void stepOf(SimulatedDumper caller) throws Exception {
        pass();
        if (random.nextInt(10) == 0) {
            endSilentSessions();
        }
        SimulatedDumper dumper = dumpers.get(random.nextInt(dumpers.size()));
        if (dumper != caller && dumper.isUp()) {
            dumper.step();
        } else if (dumper == caller && !caller.isPaused && caller.isUp() && caller.leads()) {
            caller.write();
        }
    }

    private void pass() {
        now += random.nextInt(12) == 0 ? random.nextLong(LEASE.toNanos()) : random.nextLong(100_000_000);
    }

    private void step() throws Exception {
        pass();
        SimulatedDumper dumper = dumpers.get(random.nextInt(dumpers.size()));
        switch (random.nextInt(50)) {
            case 0 -> dumper.kill();
            case 1 -> wipe(dumper);
            case 2 -> cutOff(dumper);
            case 3 -> breakLink(dumper);
            case 4 -> endSilentSessions();
            default -> {
                if (!dumper.isUp()) {
                    if (random.nextInt(3) == 0) {
                        relaunch(dumper);
                    }
                } else {
                    dumper.tree.mayDie = true;
                    dumper.step();
                }
            }
        }
    }

    private void relaunch(SimulatedDumper dumper) {
        if (random.nextInt(4) == 0) {
            dumper.quorum = quorums.get(random.nextInt(quorums.size()));
        }
        dumper.launch();
    }

    /** Deletes only so many disks at a time that one Dumper with each cut stays. */
    private void wipe(SimulatedDumper dumper) {
        Map<String, String> voters = store.at(SharedTree.VOTERS)
                .map(node -> node.fields().voters().byNode())
                .orElse(Map.of());
        wiped.removeIf(name -> dumper(name).isVoter(voters));
        int fewest = quorums.stream().mapToInt(Quorum::copies).min().orElseThrow();
        if (wiped.size() < fewest - 1 || wiped.contains(dumper.name)) {
            dumper.kill();
            dumper.log.clear();
            wiped.add(dumper.name);
        }
    }

    private void cutOff(SimulatedDumper dumper) {
        if (dumper.isUp()) {
            dumper.tree.isCutOff = !dumper.tree.isCutOff;
        }
    }

    private void breakLink(SimulatedDumper dumper) {
        String link = dumper.name + dumpers.get(random.nextInt(dumpers.size())).name;
        if (!broken.remove(link)) {
            broken.add(link);
        }
    }

    /** The coordinator ends the session of a node that was silent for a lease. */
    private void endSilentSessions() {
        for (SimulatedDumper dumper : dumpers) {
            boolean isSilent = now - confirmedNanos.get(dumper.name) >= LEASE.toNanos();
            if (isSilent && dumper.isUp()) {
                dumper.tree.expire(++sessions);
            } else if (isSilent) {
                store.endSessionsBut(dumpers.stream()
                        .filter(SimulatedDumper::isUp)
                        .map(each -> each.tree.session())
                        .toList());
            }
        }
    }

    /** Ends all failures; then a Dumper leads, and shows new data. */
    private void recover() throws Exception {
        isCalm = true;
        broken.clear();
        for (SimulatedDumper dumper : dumpers) {
            dumper.kill();
            dumper.quorum = quorums.get(0);
            dumper.launch();
            dumper.tree.isCalm = true;
        }
        now += 2 * LEASE.toNanos();
        endSilentSessions();
        store.endSessionsBut(dumpers.stream().map(each -> each.tree.session()).toList());
        int before = entries;
        int seen = shown.size();
        for (int i = 0; i < 20_000 && (shown.size() == seen || !isNew(before)); i++) {
            now += CALM_STEP;
            dumpers.get(i % dumpers.size()).step();
        }
        assertTrue(
                shown.size() > seen && isNew(before),
                () -> "nothing is acknowledged any more: " + quorums + ", leader " + leader() + ", voters "
                        + store.at(SharedTree.VOTERS) + ", epoch " + store.at(SharedTree.EPOCH));
    }

    private boolean isNew(int before) {
        String last = shown.isEmpty() ? "0/0" : shown.get(shown.size() - 1);
        return Integer.parseInt(last.substring(last.indexOf('/') + 1)) > before;
    }
}
