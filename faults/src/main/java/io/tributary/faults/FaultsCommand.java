package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.kind.Fault;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.TestClusterOptions;
import io.tributary.faults.site.Topology;
import io.tributary.testkit.network.PrivateNetwork;
import io.tributary.testkit.server.Folders;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line of {@code bin/faults}. Exit status: 0 all faults passed, 1 a fault failed, 2 wrong usage. */
@Command(
        name = "bin/faults",
        mixinStandardHelpOptions = true,
        description = "Injects faults into nodes under load and reports the results. See docs/faults.md.")
public final class FaultsCommand implements Callable<Integer> {
    private static final String ALL = "all";

    @Option(names = "--times", defaultValue = "20", description = "Injections of each fault; default ${DEFAULT-VALUE}.")
    private int times;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "kill-leader,kill-follower,kill-task,kill-relay,kill-all",
            description = "Names of faults (see --list), or all; default ${DEFAULT-VALUE}.")
    private List<String> only;

    @Option(
            names = "--topology",
            split = ",",
            description =
                    "Topologies: standalone, split, relays, cluster, network; default: network, which is a cluster in"
                            + " network namespaces, if they can be created, else cluster.")
    private List<String> topologies = List.of();

    @Option(
            names = "--seconds",
            defaultValue = "3",
            description = "Duration of a partition or a stop in seconds; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--store-away",
            defaultValue = "300",
            paramLabel = "SECONDS",
            description = "Seconds without the object store; default ${DEFAULT-VALUE}.")
    private int storeAway;

    @Option(
            names = "--zookeeper-down",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "Seconds without ZooKeeper; default ${DEFAULT-VALUE}.")
    private int zookeeperDown;

    @Option(
            names = "--long-times",
            defaultValue = "1",
            description = "Injections of each fault of --store-away and --zookeeper-down; default ${DEFAULT-VALUE}.")
    private int longTimes;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Start no injection after this time. The report contains the injections until then.")
    private int minutes;

    @Option(
            names = "--lease",
            defaultValue = "3000",
            paramLabel = "MILLIS",
            description = "cluster.lease of a cluster in milliseconds; default ${DEFAULT-VALUE}.")
    private int lease;

    @Option(
            names = "--cold-start",
            paramLabel = "MIB",
            description =
                    "Instead of faults, measure --times starts of a node whose last binlog file has this many MiB.")
    private int coldStart;

    @Option(names = "--seed", description = "Seed of all random decisions; default: a new one for each run.")
    private Long seed;

    @Option(names = "--report", defaultValue = "target/faults", description = "Folder of report.md and report.json.")
    private Path folder;

    @Option(names = "--list", description = "List the faults and exit.")
    private boolean list;

    private FaultsCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FaultsCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Fault> all = FaultList.all(new FaultDurations(
                Duration.ofSeconds(seconds),
                Duration.ofMillis(lease),
                Duration.ofSeconds(zookeeperDown),
                Duration.ofSeconds(storeAway)));
        if (list) {
            all.forEach(fault -> System.out.printf("%-24s %s%n", fault.name(), fault.words()));
            return CommandLine.ExitCode.OK;
        }
        if (coldStart > 0) {
            return measureColdStart();
        }
        List<Fault> chosen = all.stream()
                .filter(fault -> only.contains(ALL) || only.contains(fault.name()))
                .toList();
        List<String> unknown = new ArrayList<>(only);
        unknown.removeAll(all.stream().map(Fault::name).toList());
        unknown.remove(ALL);
        if (!unknown.isEmpty()) {
            System.err.println("unknown fault: " + String.join(", ", unknown) + "; --list prints all names");
            return CommandLine.ExitCode.USAGE;
        }
        long dice = seed == null ? Clock.SYSTEM.epochMicros() : seed;
        System.out.println("seed " + dice);
        return run(chosen, dice);
    }

    private int measureColdStart() throws Exception {
        Path work = Files.createTempDirectory("tributary-cold-start-");
        List<Duration> took = ColdStart.measure(work, coldStart, times);
        System.out.println("time from the start of the process until it accepts readers, last file " + coldStart
                + " MiB: " + took.stream().map(Duration::toMillis).toList() + " ms");
        Folders.delete(work);
        return CommandLine.ExitCode.OK;
    }

    private static void print(String line) {
        System.out.println(line);
    }

    private TestClusterOptions options(String topology, List<Fault> chosen, long dice) {
        return new TestClusterOptions(
                Topology.named(topology),
                Duration.ofMillis(lease),
                dice,
                chosen.stream().anyMatch(Fault::needsObjectStore));
    }

    private int run(List<Fault> chosen, long dice) throws Exception {
        Optional<String> lacks = PrivateNetwork.lacks();
        String network = lacks.map(why -> "network namespaces cannot be created here: " + why)
                .orElse("network namespaces can be created here");
        print(network);
        FaultReport report = new FaultReport(folder, dice, network);
        Path work = Files.createTempDirectory("tributary-faults-");
        TimeLimit limit = minutes > 0 ? TimeLimit.in(Duration.ofMinutes(minutes)) : TimeLimit.none();
        Topology usual = lacks.isEmpty() ? Topology.NETWORK : Topology.CLUSTER;
        for (String name : topologies.isEmpty() ? List.of(usual.toString()) : topologies) {
            try (Campaign campaign =
                    new Campaign(options(name, chosen, dice), work, report, limit, FaultsCommand::print)) {
                for (Fault fault : chosen) {
                    campaign.run(fault, fault.lastsLong() ? longTimes : times);
                }
                campaign.finish();
            }
        }
        System.out.println("report: " + folder.resolve("report.md"));
        if (report.passed()) {
            Folders.delete(work);
            return CommandLine.ExitCode.OK;
        }
        System.out.println("files of the failed test clusters: " + work);
        return CommandLine.ExitCode.SOFTWARE;
    }
}
