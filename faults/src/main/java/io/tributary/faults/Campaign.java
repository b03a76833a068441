package io.tributary.faults;

import io.tributary.faults.check.Audit;
import io.tributary.faults.check.Findings;
import io.tributary.faults.report.FaultLine;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.Site;
import io.tributary.faults.site.SiteOptions;
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
 * Injects faults into a site under load, one after another, and looks at all of it after each kind. The site is used for all faults
 * until something is wrong with it; then the next fault gets a new one.
 */
public final class Campaign implements AutoCloseable {
    private static final Duration SERVED_LIMIT = Duration.ofMinutes(2);

    private final SiteOptions options;
    private final String topology;
    private final Path folder;
    private final Random random;
    private final FaultReport report;
    private final Consumer<String> out;
    private Site site;
    private int sites;
    private long transactionsBefore;

    /**
     * Nothing is started yet.
     *
     * @param folder where sites keep their files
     * @param out told of each fault
     */
    public Campaign(SiteOptions options, Path folder, FaultReport report, Consumer<String> out) {
        this.options = options;
        this.topology = options.topology().toString();
        this.folder = folder;
        this.random = new Random(options.seed());
        this.report = report;
        this.out = out;
    }

    /** Injects a fault so many times and adds its line to the report. */
    public void run(Fault fault, int times) throws Exception {
        List<Duration> served = new ArrayList<>();
        List<Duration> lasted = new ArrayList<>();
        FaultLine line;
        try {
            Site here = site();
            Optional<String> lacks = fault.lacks(here);
            if (lacks.isPresent()) {
                add(FaultLine.skipped(topology, fault.name(), fault.words(), lacks.get()));
                return;
            }
            for (int i = 0; i < times; i++) {
                here.readFromTheLeader();
                Strike strike = new Strike(here, random);
                fault.inject(here, strike);
                served.add(strike.awaitServed(SERVED_LIMIT));
                lasted.add(strike.lasted());
                fault.awaitRecovered(here);
                here.awaitCaughtUp();
            }
            line = audited(fault, here, served, lasted);
        } catch (IllegalStateException | AssertionError | SQLException | IOException e) {
            line = failed(fault, served, lasted, e);
        }
        add(line);
        if (!line.passed()) {
            abandon();
        }
    }

    private Site site() throws Exception {
        if (site == null) {
            sites++;
            transactionsBefore = 0;
            site = Site.open(options.seeded(options.seed() + sites), folder.resolve(topology + "-" + sites));
        }
        return site;
    }

    private FaultLine audited(Fault fault, Site here, List<Duration> served, List<Duration> lasted)
            throws IOException, SQLException {
        here.rest();
        Findings findings = Audit.of(here);
        here.resume();
        long before = transactionsBefore;
        transactionsBefore = findings.transactions();
        return new FaultLine(
                topology,
                fault.name(),
                fault.words(),
                findings.transactions() - before,
                findings.lost(),
                findings.duplicated(),
                findings.torn(),
                served,
                lasted,
                findings.reports().size(),
                findings.wrong().stream().map(Report::toString).toList(),
                Optional.empty());
    }

    /** What was waited for in vain (I15), or could not be done: then nothing is known of the rest. */
    private FaultLine failed(Fault fault, List<Duration> served, List<Duration> lasted, Throwable why) {
        return new FaultLine(
                topology,
                fault.name(),
                fault.words(),
                0,
                0,
                0,
                0,
                served,
                lasted,
                1,
                List.of("I15 liveness: " + why.getMessage()),
                Optional.empty());
    }

    private void add(FaultLine line) throws IOException {
        report.add(line);
        out.accept(line.topology() + " " + line.fault() + ": "
                + line.skipped().map(why -> "skipped: " + why).orElseGet(() -> words(line)));
        line.wrong().forEach(out);
    }

    private static String words(FaultLine line) {
        return line.served().size() + " times, " + line.transactions() + " transactions, lost " + line.lost()
                + ", duplicated " + line.duplicated() + ", torn " + line.torn() + ", RTO "
                + line.served().stream().map(Duration::toMillis).toList() + " ms";
    }

    private void abandon() {
        Site left = site;
        site = null;
        if (left != null) {
            left.close();
        }
    }

    /** Ends the nodes in good order, looks at all files as a whole, and adds a line of that. */
    public void finish() throws Exception {
        if (site == null) {
            return;
        }
        site.rest();
        boolean ended = site.endNodes();
        List<Report> reports = Audit.ofFiles(site);
        List<String> wrong = Stream.concat(
                        ended ? Stream.of() : Stream.of("a node had to be killed: it did not end on SIGTERM"),
                        reports.stream().filter(one -> !one.isClean()).map(Report::toString))
                .toList();
        add(new FaultLine(
                topology,
                "end",
                "all nodes end on SIGTERM; every file is checked, by mysqlbinlog too",
                0,
                0,
                0,
                0,
                List.of(),
                List.of(),
                reports.size(),
                wrong,
                Optional.empty()));
        abandon();
    }

    @Override
    public void close() {
        abandon();
    }
}
