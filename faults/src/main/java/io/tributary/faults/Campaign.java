package io.tributary.faults;

import io.tributary.common.pipeline.Clock;
import io.tributary.faults.check.Audit;
import io.tributary.faults.check.Findings;
import io.tributary.faults.report.FaultLine;
import io.tributary.faults.report.FaultReport;
import io.tributary.faults.site.NodeWords;
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
    private static final String END = "end";

    private final SiteOptions options;
    private final String topology;
    private final Path folder;
    private final Random random;
    private final FaultReport report;
    private final TimeLimit limit;
    private final Progress progress;
    private Site site;
    private int sites;
    private long transactionsBefore;

    /**
     * Nothing is started yet.
     *
     * @param folder where sites keep their files
     * @param limit when no injection is begun any more
     * @param out told of each injection, and what came of each fault
     */
    public Campaign(SiteOptions options, Path folder, FaultReport report, TimeLimit limit, Consumer<String> out) {
        this.options = options;
        this.topology = options.topology().toString();
        this.folder = folder;
        this.random = new Random(options.seed());
        this.report = report;
        this.limit = limit;
        this.progress = new Progress(out);
    }

    /** Injects a fault so many times and adds its line to the report. */
    public void run(Fault fault, int times) throws IOException, InterruptedException {
        Injections injections = new Injections(fault, times);
        FaultLine line;
        try {
            if (limit.isOver()) {
                add(FaultLine.skipped(topology, fault.name(), fault.words(), "no time was left"));
                return;
            }
            Site here = site();
            Optional<String> lacks = fault.lacks(here);
            if (lacks.isPresent()) {
                add(FaultLine.skipped(topology, fault.name(), fault.words(), lacks.get()));
                return;
            }
            while (injections.lasted.size() < times && !limit.isOver()) {
                injections.one(here);
            }
            line = audited(injections, here);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception | AssertionError e) { // whatever it is: it is the outcome of this fault, and others follow
            line = failed(injections, e);
        }
        add(line);
        if (!line.passed()) {
            abandon(fault.name());
        }
    }

    /** Of one fault: how long each took. */
    private final class Injections {
        final Fault fault;
        final int times;
        final List<Duration> served = new ArrayList<>();
        final List<Duration> lasted = new ArrayList<>();

        Injections(Fault fault, int times) {
            this.fault = fault;
            this.times = times;
        }

        void one(Site here) throws Exception {
            here.readFromTheLeader();
            Strike strike = new Strike(here, random);
            fault.inject(here, strike);
            served.add(strike.awaitServed(SERVED_LIMIT));
            long now = Clock.SYSTEM.nanoTime();
            fault.awaitRecovered(here);
            here.awaitCaughtUp();
            lasted.add(strike.lasted());
            progress.tell(topology + " " + fault.name() + " " + lasted.size() + " of " + times + ": served after "
                    + strike.served().toMillis() + " ms, all well "
                    + Progress.since(now).toMillis() + " ms later");
        }
    }

    private Site site() throws Exception {
        if (site == null) {
            sites++;
            transactionsBefore = 0;
            site = Site.open(options.seeded(options.seed() + sites), folder.resolve(topology + "-" + sites));
            progress.tell(topology + ": runs, under load");
        }
        return site;
    }

    private FaultLine audited(Injections injections, Site here) throws IOException, SQLException {
        long now = Clock.SYSTEM.nanoTime();
        here.rest();
        Findings findings = Audit.of(here);
        here.resume();
        progress.tell(topology + " " + injections.fault.name() + ": at rest and looked at in "
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

    /** What was waited for in vain (I15), or could not be done: then nothing is known of the rest. */
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

    /** The first line says it; then how the nodes are, where they are known. */
    private String words(Throwable why) {
        String first = why instanceof IllegalStateException || why instanceof AssertionError
                ? String.valueOf(why.getMessage())
                : why.toString();
        return site == null ? first : first.lines().findFirst().orElse("") + "\n" + NodeWords.of(site.allNodes());
    }

    private void add(FaultLine line) throws IOException {
        report.add(line);
        progress.tell(line.topology() + " " + line.fault() + ": "
                + line.skipped().map(why -> "skipped: " + why).orElseGet(() -> words(line)));
        line.wrong().forEach(progress::tell);
    }

    private static String words(FaultLine line) {
        return line.served().size() + " times, " + line.transactions() + " transactions, lost " + line.lost()
                + ", duplicated " + line.duplicated() + ", torn " + line.torn() + ", RTO "
                + line.served().stream().map(Duration::toMillis).toList() + " ms";
    }

    /** After a fault that failed: its logs are kept with the report. */
    private void abandon(String fault) throws IOException {
        if (site != null) {
            Path logs = report.folder().resolve(topology + "-" + fault);
            NodeWords.copyLogs(site.allNodes(), logs);
            progress.tell("logs: " + logs);
        }
        close();
    }

    /** Ends the nodes in good order, looks at all files as a whole, and adds a line of that. */
    public void finish() throws IOException {
        if (site == null) {
            return;
        }
        List<String> wrong;
        int invariants = 1;
        try {
            site.rest();
            boolean ended = site.endNodes();
            List<Report> reports = Audit.ofFiles(site);
            invariants = reports.size();
            wrong = Stream.concat(
                            ended ? Stream.of() : Stream.of("a node had to be killed: it did not end on SIGTERM"),
                            reports.stream().filter(one -> !one.isClean()).map(Report::toString))
                    .toList();
        } catch (IllegalStateException | AssertionError | SQLException | IOException e) {
            wrong = List.of("I15 liveness: " + words(e));
        }
        FaultLine line = new FaultLine(
                topology,
                END,
                "all nodes end on SIGTERM; every file is checked, by mysqlbinlog too",
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
        Site left = site;
        site = null;
        if (left == null) {
            return;
        }
        try {
            left.close();
        } catch (IllegalStateException e) { // the next fault gets another site anyway
            progress.tell("a site was not closed: " + e.getMessage());
        }
    }
}
