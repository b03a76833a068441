package io.tributary.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.faults.report.FaultLine;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.SiteOptions;
import io.tributary.faults.site.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A few faults of each sort on one cluster; bin/faults injects all of them, often. */
class FaultsIT {
    private static final long SEED = Long.getLong("seed", 11);
    private static final Duration LEASE = Duration.ofSeconds(3);
    private static final Spans SPANS =
            new Spans(Duration.ofMillis(2500), LEASE, Duration.ofMillis(2500), Duration.ofMillis(2500));
    private static final Map<String, Integer> TIMES = Map.of(
            "kill-leader", 3,
            "kill-task", 3,
            "kill-follower", 3,
            "kill-relay", 3,
            "kill-all", 3,
            "freeze-leader", 1,
            "lost-writes-leader", 1,
            "cut-zookeeper", 1);

    private static void say(String line) {
        System.out.println(line);
    }

    @Test
    void nothingIsLostDuplicatedOrTorn(@TempDir Path folder) throws Exception {
        System.out.println("seed " + SEED);
        FaultReport report = new FaultReport(Path.of("target/faults"), SEED);
        SiteOptions options = new SiteOptions(Topology.CLUSTER, LEASE, SEED, false);
        try (Campaign campaign = new Campaign(options, folder, report, TimeLimit.none(), FaultsIT::say)) {
            for (Fault fault : Catalogue.all(SPANS)) {
                if (TIMES.containsKey(fault.name())) {
                    campaign.run(fault, TIMES.get(fault.name()));
                }
            }
            campaign.finish();
        }
        List<FaultLine> lines = report.lines();
        assertEquals(TIMES.size() + 1, lines.size());
        assertTrue(
                report.passed(),
                () -> lines.stream()
                        .filter(line -> !line.passed())
                        .map(line -> line.fault() + ": " + String.join("\n", line.wrong()))
                        .collect(Collectors.joining("\n", "these failed, logs in target/faults:\n", "")));
    }
}
