package io.tributary.faults;

import io.tributary.faults.kind.Fault;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.TestClusterOptions;
import io.tributary.faults.site.Topology;
import io.tributary.testkit.network.PrivateNetwork;
import io.tributary.testkit.server.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Injects a few faults of each kind into one cluster, in its own process. Exit status 0 if all were injected and passed. */
final class FewOfEach {
    private static final long SEED = Long.getLong("seed", 11);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final FaultDurations SPANS =
            new FaultDurations(Duration.ofMillis(2500), LEASE, Duration.ofMillis(2500), Duration.ofMillis(2500));
    private static final Map<String, Integer> EVERYWHERE = Map.of(
            "kill-leader", 3,
            "kill-task", 3,
            "kill-follower", 3,
            "kill-relay", 3,
            "kill-all", 3,
            "freeze-leader", 1,
            "lost-writes-leader", 1);
    private static final Map<String, Integer> IN_A_NETWORK = Map.of("machine-gone-leader", 1, "drop-zookeeper", 1);
    private static final Map<String, Integer> ON_LOOPBACK = Map.of("cut-zookeeper", 1);

    private FewOfEach() {}

    public static void main(String[] arguments) throws Exception {
        Optional<String> lacks = PrivateNetwork.lacks();
        String network = lacks.map(why -> "on loopback: " + why).orElse("each node in a network namespace of its own");
        print("seed " + SEED + ", " + network);
        Map<String, Integer> times = new HashMap<>(EVERYWHERE);
        times.putAll(lacks.isEmpty() ? IN_A_NETWORK : ON_LOOPBACK);
        FaultReport report = new FaultReport(Path.of("target/faults"), SEED, network);
        Topology topology = lacks.isEmpty() ? Topology.NETWORK : Topology.CLUSTER;
        TestClusterOptions options = new TestClusterOptions(topology, LEASE, SEED, false);
        Path folder = Files.createTempDirectory("tributary-few-faults-");
        try (Campaign campaign = new Campaign(options, folder, report, TimeLimit.none(), FewOfEach::print)) {
            for (Fault fault : FaultList.all(SPANS)) {
                if (times.containsKey(fault.name())) {
                    campaign.run(fault, times.get(fault.name()));
                }
            }
            campaign.finish();
        } finally {
            Folders.delete(folder);
        }
        boolean all = report.lines().size() == times.size() + 1
                && report.lines().stream().allMatch(line -> line.skipped().isEmpty());
        System.exit(all && report.passed() ? 0 : 1);
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
