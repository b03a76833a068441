package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.check.Audit;
import io.tributary.faults.check.Findings;
import io.tributary.faults.kind.Fault;
import io.tributary.faults.kind.Injection;
import io.tributary.faults.report.FaultLine;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.NodeReport;
import io.tributary.faults.site.TestCluster;
import io.tributary.faults.site.TestClusterOptions;
import io.tributary.testkit.check.Report;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A run of fault tests: injects faults into a test cluster under load, one after another, and checks everything after each kind of fault. One cluster
 * is used until a fault fails; the next fault gets a new cluster.
 */
public final class Campaign implements AutoCloseable {
    private static final Duration SERVED_LIMIT = Duration.ofMinutes(2);
    private static final String END = "end";

    private final TestClusterOptions options;
    private final String topology;
    private final Path folder;
    private final Random random;
    private final FaultReport report;
    private final TimeLimit limit;
    private final Progress progress;
    private TestCluster cluster;
    private int clusters;
    private long transactionsBefore;

    /**
     * Creates a run. Nothing is started yet.
     *
     * @param folder for the files of the test clusters
     * @param limit no injection starts after it
     * @param out receives a line for each injection and for the result of each fault
     */
    public Campaign(
            TestClusterOptions options, Path folder, FaultReport report, TimeLimit limit, Consumer<String> out) {
        this.options = options;
        this.topology = options.topology().toString();
        this.folder = folder;
        this.random = new Random(options.seed());
        this.report = report;
        this.limit = limit;
        this.progress = new Progress(out);
    }

    /** Injects a fault this many times and adds its line to the report. */
    public void run(Fault fault, int times) throws IOException, InterruptedException {
        Injections injections = new Injections(fault, times);
        FaultLine line;
        try {
            if (limit.isOver()) {
                add(FaultLine.skipped(topology, fault.name(), fault.words(), "no time was left"));
                return;
            }
            TestCluster current = cluster();
            Optional<String> lacks = fault.lacks(current);
            if (lacks.isPresent()) {
                add(FaultLine.skipped(topology, fault.name(), fault.words(), lacks.get()));
                return;
            }
            while (injections.lasted.size() < times && !limit.isOver()) {
                injections.one(current);
            }
            line = audited(injections, current);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | AssertionError e) { // any failure is the result of this fault; the next faults still run
            line = failed(injections, e);
        }
        add(line);
        if (!line.passed()) {
            abandon(fault.name());
        }
    }

    /** The injections of one fault and their durations. */
    private final class Injections {
        final Fault fault;
        final int times;
        final List<Duration> served = new ArrayList<>();
        final List<Duration> lasted = new ArrayList<>();

        Injections(Fault fault, int times) {
            this.fault = fault;
            this.times = times;
        }

        void one(TestCluster current) throws Exception {
            current.readFromTheLeader();
            Injection injection = new Injection(current, random);
            fault.inject(current, injection);
            served.add(injection.awaitServed(SERVED_LIMIT));
            long now = Clock.SYSTEM.nanoTime();
            fault.awaitRecovered(current);
            current.awaitCaughtUp();
            lasted.add(injection.lasted());
            progress.report(topology + " " + fault.name() + " " + lasted.size() + " of " + times + ": served after "
                    + injection.served().toMillis() + " ms, recovered "
                    + Progress.since(now).toMillis() + " ms later");
        }
    }

    private TestCluster cluster() throws Exception {
        if (cluster == null) {
            clusters++;
            transactionsBefore = 0;
            cluster = TestCluster.open(
                    options.seeded(options.seed() + clusters), folder.resolve(topology + "-" + clusters));
            progress.report(topology + ": running, under load");
        }
        return cluster;
    }

    private FaultLine audited(Injections injections, TestCluster current) throws IOException, SQLException {
        long now = Clock.SYSTEM.nanoTime();
        current.rest();
        Findings findings = Audit.of(current);
        current.resume();
        progress.report(topology + " " + injections.fault.name() + ": stopped the load and checked everything in "
                + Progress.since(now).toMillis() + " ms");
        long before = transactionsBefore;
        transactionsBefore = findings.transactions();
        return new FaultLine(
                topology,
                injections.fault.name(),
                injections.fault.words(),
                findings.transactions() - before,
                findings.lost(),
                findings.duplicated(),
                findings.torn(),
                injections.served,
                injections.lasted,
                findings.reports().size(),
                findings.wrong().stream().map(Report::toString).toList(),
                Optional.empty());
    }

    /** The line of a fault that did not recover in time (I15) or failed otherwise. The other invariants were not checked then. */
    private FaultLine failed(Injections injections, Throwable why) {
        int which = injections.lasted.size() + 1;
        String when = which > injections.times ? "afterwards" : "injection " + which + " of " + injections.times;
        return new FaultLine(
                topology,
                injections.fault.name(),
                injections.fault.words(),
                0,
                0,
                0,
                0,
                injections.served,
                injections.lasted,
                1,
                List.of("I15 liveness, " + when + ": " + words(why)),
                Optional.empty());
    }

    /** The failure's message; with a running cluster, its first line and the state of each node. */
    private String words(Throwable why) {
        String first = why instanceof IllegalStateException || why instanceof AssertionError
                ? String.valueOf(why.getMessage())
                : why.toString();
        return cluster == null
                ? first
                : first.lines().findFirst().orElse("") + "\n" + NodeReport.of(cluster.allNodes());
    }

    private void add(FaultLine line) throws IOException {
        report.add(line);
        progress.report(line.topology() + " " + line.fault() + ": "
                + line.skipped().map(why -> "skipped: " + why).orElseGet(() -> words(line)));
        line.wrong().forEach(progress::report);
    }

    private static String words(FaultLine line) {
        return line.served().size() + " times, " + line.transactions() + " transactions, lost " + line.lost()
                + ", duplicated " + line.duplicated() + ", torn " + line.torn() + ", RTO "
                + line.served().stream().map(Duration::toMillis).toList() + " ms";
    }

    /** Closes the cluster after a failed fault, and copies its logs to the folder of the report. */
    private void abandon(String fault) throws IOException {
        if (cluster != null) {
            Path logs = report.folder().resolve(topology + "-" + fault);
            NodeReport.copyLogs(cluster.allNodes(), logs);
            progress.report("logs: " + logs);
        }
        close();
    }

    /** Ends the nodes with SIGTERM, checks all files as a whole, and adds a line for that to the report. */
    public void finish() throws IOException {
        if (cluster == null) {
            return;
        }
        List<String> wrong;
        int invariants = 1;
        try {
            cluster.rest();
            boolean ended = cluster.endNodes();
            List<Report> reports = Audit.ofFiles(cluster);
            invariants = reports.size();
            wrong = Stream.concat(
                            ended ? Stream.of() : Stream.of("a node did not end on SIGTERM and was killed"),
                            reports.stream().filter(one -> !one.isClean()).map(Report::toString))
                    .toList();
        } catch (IllegalStateException | AssertionError | SQLException | IOException e) {
            wrong = List.of("I15 liveness: " + words(e));
        }
        FaultLine line = new FaultLine(
                topology,
                END,
                "all nodes end on SIGTERM; every file is checked, also by mysqlbinlog",
                0,
                0,
                0,
                0,
                List.of(),
                List.of(),
                invariants,
                wrong,
                Optional.empty());
        add(line);
        if (line.passed()) {
            close();
        } else {
            abandon(END);
        }
    }

    @Override
    public void close() {
        TestCluster left = cluster;
        cluster = null;
        if (left == null) {
            return;
        }
        try {
            left.close();
        } catch (IllegalStateException e) { // the next fault gets a new cluster anyway
            progress.report("cannot close the test cluster: " + e.getMessage());
        }
    }
}
