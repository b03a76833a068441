package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.SiteOptions;
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

/** The command line of {@code bin/faults}. Exit status: 0 all held, 1 something did not, 2 wrong usage. */
@Command(
        name = "bin/faults",
        mixinStandardHelpOptions = true,
        description = "Injects faults into nodes under load and reports what held; docs/faults.md says more.")
public final class FaultsCommand implements Callable<Integer> {
    private static final String ALL = "all";

    @Option(names = "--times", defaultValue = "20", description = "How often each fault; default ${DEFAULT-VALUE}.")
    private int times;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "kill-leader,kill-follower,kill-task,kill-relay,kill-all",
            description = "Which faults; --list names them, all is all of them; default ${DEFAULT-VALUE}.")
    private List<String> only;

    @Option(
            names = "--topology",
            split = ",",
            description =
                    "Which nodes: standalone, split, relays, cluster, network; default: network, which is a cluster in network"
                            + " namespaces, where they can be made, else cluster.")
    private List<String> topologies = List.of();

    @Option(names = "--seconds", defaultValue = "3", description = "How long a partition or a stop lasts; default 3.")
    private int seconds;

    @Option(
            names = "--store-away",
            defaultValue = "300",
            paramLabel = "SECONDS",
            description = "How long the object store cannot be reached; default ${DEFAULT-VALUE}.")
    private int storeAway;

    @Option(
            names = "--zookeeper-down",
            defaultValue = "60",
            paramLabel = "SECONDS",
            description = "How long ZooKeeper is down; default ${DEFAULT-VALUE}.")
    private int zookeeperDown;

    @Option(names = "--long-times", defaultValue = "1", description = "How often these two; default ${DEFAULT-VALUE}.")
    private int longTimes;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            description = "Begin no injection later than that; what is left out is not in the report, or skipped.")
    private int minutes;

    @Option(
            names = "--lease",
            defaultValue = "3000",
            paramLabel = "MILLIS",
            description = "cluster.lease in a cluster; default ${DEFAULT-VALUE}.")
    private int lease;

    @Option(
            names = "--cold-start",
            paramLabel = "MIB",
            description =
                    "Instead of faults: how long a node takes to start whose last file is so large; --times of it.")
    private int coldStart;

    @Option(names = "--seed", description = "Of all dice; default: another one each time.")
    private Long seed;

    @Option(names = "--report", defaultValue = "target/faults", description = "Folder of report.md and report.json.")
    private Path folder;

    @Option(names = "--list", description = "Lists the faults and ends.")
    private boolean list;

    private FaultsCommand() {}

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new FaultsCommand()).execute(arguments));
    }

    @Override
    public Integer call() throws Exception {
        List<Fault> all = Catalogue.all(new Spans(
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
            System.err.println("no fault is named " + String.join(" or ", unknown) + "; --list names all");
            return CommandLine.ExitCode.USAGE;
        }
        long dice = seed == null ? Clock.SYSTEM.epochMicros() : seed;
        System.out.println("seed " + dice);
        return run(chosen, dice);
    }

    private int measureColdStart() throws Exception {
        Path work = Files.createTempDirectory("tributary-cold-start-");
        List<Duration> took = ColdStart.measure(work, coldStart, times);
        System.out.println("from the start of the process until readers are let in, the last file " + coldStart
                + " MiB: " + took.stream().map(Duration::toMillis).toList() + " ms");
        Folders.delete(work);
        return CommandLine.ExitCode.OK;
    }

    private static void say(String line) {
        System.out.println(line);
    }

    private SiteOptions options(String topology, List<Fault> chosen, long dice) {
        return new SiteOptions(
                Topology.named(topology),
                Duration.ofMillis(lease),
                dice,
                chosen.stream().anyMatch(Fault::needsObjectStore));
    }

    private int run(List<Fault> chosen, long dice) throws Exception {
        Optional<String> lacks = PrivateNetwork.lacks();
        String network = lacks.map(why -> "network namespaces cannot be made here: " + why)
                .orElse("network namespaces can be made here");
        say(network);
        FaultReport report = new FaultReport(folder, dice, network);
        Path work = Files.createTempDirectory("tributary-faults-");
        TimeLimit limit = minutes > 0 ? TimeLimit.in(Duration.ofMinutes(minutes)) : TimeLimit.none();
        Topology usual = lacks.isEmpty() ? Topology.NETWORK : Topology.CLUSTER;
        for (String name : topologies.isEmpty() ? List.of(usual.toString()) : topologies) {
            try (Campaign campaign =
                    new Campaign(options(name, chosen, dice), work, report, limit, FaultsCommand::say)) {
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
        System.out.println("files of what failed: " + work);
        return CommandLine.ExitCode.SOFTWARE;
    }
}
