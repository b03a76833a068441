package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.Leader;
import io.tributary.common.cluster.Member;
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
 * Dumpers on one thread whose every next step a seed decides: they append, copy, acknowledge and are elected; processes die between
 * any two questions to the coordinator, are stopped there, lose answers, sessions, each other and their disks, and come back configured
 * otherwise. What any reader was shown stays, and no leader's lease holds once another was elected.
 */
final class SimulatedCluster implements Clock, Members {
    static final Duration LEASE = Duration.ofSeconds(3);
    static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final long CALM_STEP = 20_000_000;
    private static final int STEPS = 500;

    private final Random random;
    private final Sabotage sabotage;
    private final SimulatedTree.Store store = new SimulatedTree.Store();
    private final List<SimulatedDumper> dumpers = new ArrayList<>();
    private final List<Quorum> quorums = new ArrayList<>();
    private final Set<String> wiped = new HashSet<>(); // have not come to be electors again
    private final Set<String> broken = new HashSet<>(); // links
    private final Map<String, Long> heardNanos = new HashMap<>(); // when the coordinator heard of each last
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

    /** Nothing happens but what the test does. */
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

    /** Lets time pass until this holds, but no more than so much; answers how much it was. */
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

    /** From now on they do not hear each other. */
    void separate(String one, String other) {
        broken.add(one + other);
    }

    void run() throws Exception {
        for (int i = 0; i < STEPS; i++) {
            step();
        }
        heal();
    }

    // ---- what the Dumpers ask

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public long epochMicros() {
        return random.nextLong(); // nothing may depend on it
    }

    @Override
    public List<Member> list() {
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
                () -> heardNanos.put(dumper.name, now),
                sabotage == Sabotage.ELECTORS);
        heardNanos.put(dumper.name, now);
        return tree;
    }

    // ---- what must hold

    void elected(SimulatedDumper winner, long epoch) {
        for (SimulatedDumper other : dumpers) {
            assertTrue(
                    other == winner || !other.holdsLease(),
                    other.name + " holds its lease still when " + winner.name + " is elected under epoch " + epoch);
        }
        assertHas(winner, "was elected under epoch " + epoch);
    }

    void shown(SimulatedDumper leader, List<String> now) {
        int both = Math.min(now.size(), shown.size());
        assertEquals(shown.subList(0, both), now.subList(0, both), leader.name + " shows otherwise");
        if (now.size() > shown.size()) {
            shown = List.copyOf(now);
        }
    }

    private void assertHas(SimulatedDumper dumper, String why) {
        assertTrue(
                dumper.log.size() >= shown.size()
                        && dumper.log.subList(0, shown.size()).equals(shown),
                () -> dumper.name + " " + why + " with " + dumper.log + ", readers have seen " + shown + "; electors "
                        + store.at(SharedTree.ELECTORS));
    }

    // ---- what happens

    /** Others go on while this one is stopped right before it asks. */
    private void meanwhile(SimulatedDumper asks) {
        if (isNested || isCalm || random.nextInt(12) > 0) {
            return;
        }
        isNested = true;
        asks.isPaused = random.nextBoolean(); // or only the thread that asks waits
        try {
            for (int i = random.nextInt(12); i > 0; i--) {
                stepOf(asks);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        } finally {
            asks.isPaused = false;
            isNested = false;
        }
    }

    private void stepOf(SimulatedDumper asks) throws Exception {
        pass();
        if (random.nextInt(10) == 0) {
            endSilentSessions();
        }
        SimulatedDumper dumper = dumpers.get(random.nextInt(dumpers.size()));
        if (dumper != asks && dumper.isUp()) {
            dumper.step();
        } else if (dumper == asks && !asks.isPaused && asks.isUp() && asks.leads()) {
            asks.write();
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

    /** So few at once that one of those who have a cut stays. */
    private void wipe(SimulatedDumper dumper) {
        Map<String, String> electors = store.at(SharedTree.ELECTORS)
                .map(node -> node.fields().electors().byNode())
                .orElse(Map.of());
        wiped.removeIf(name -> dumper(name).isElector(electors));
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

    /** The coordinator ends the session of a node that it has not heard of for a lease. */
    private void endSilentSessions() {
        for (SimulatedDumper dumper : dumpers) {
            boolean isSilent = now - heardNanos.get(dumper.name) >= LEASE.toNanos();
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

    /** Nothing fails any more: somebody leads, and shows something new. */
    private void heal() throws Exception {
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
                () -> "nothing is acknowledged any more: " + quorums + ", leader " + leader() + ", electors "
                        + store.at(SharedTree.ELECTORS) + ", epoch " + store.at(SharedTree.EPOCH));
    }

    private boolean isNew(int before) {
        String last = shown.isEmpty() ? "0/0" : shown.get(shown.size() - 1);
        return Integer.parseInt(last.substring(last.indexOf('/') + 1)) > before;
    }
}
