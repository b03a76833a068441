package io.tributary.node.role;

import io.tributary.collector.Collector;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.admin.ShardRequests;
import io.tributary.transmitter.RelayQuestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds and removes shards of a running node, one request at a time: taken by the admin endpoint, done by the node's own thread between its
 * looks at the pipeline. It also knows where all shards are, those that have come among them.
 */
final class ShardCommands implements ShardRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ShardCommands.class);
    private static final Duration MOST_UNTIL_DURABLE = Duration.ofSeconds(30);

    private final TaskSettings settings;
    private final ShardFile file;
    private final StopSignal stop;
    private final Clock clock;
    private final Supplier<MysqlClient> client;
    private final Runnable closesClient;
    private volatile ShardFile.Places known;
    private volatile Running newest;
    private volatile State state = State.NONE;
    private volatile Request waiting;
    private final Set<String> newSettings = new TreeSet<>(); // guarded by this
    private Renewal renewal;

    /**
     * A pipeline, and where a request finds whether what it did is durable.
     *
     * @param durableCut number of the newest cut that is
     */
    private record Running(TaskPipeline pipeline, LongSupplier durableCut) {}

    private record Request(Verb verb, String shard, Duration patience) {}

    /**
     * @param started what the node was started with
     * @param closesClient breaks off what the client does
     */
    ShardCommands(
            Config started,
            Supplier<Config> file,
            StopSignal stop,
            Clock clock,
            Supplier<MysqlClient> client,
            Runnable closesClient) {
        this.settings = TaskSettings.of(started);
        this.file = new ShardFile(started, file);
        this.stop = stop;
        this.clock = clock;
        this.client = client;
        this.closesClient = closesClient;
        this.known = ShardFile.Places.of(started);
    }

    /** Where all shards are. */
    ExtractorConfig known() {
        return known.extract();
    }

    /** Which relays read some of them. */
    RelaysConfig relays() {
        return known.relays();
    }

    /** The shards that are read now, else those of the configuration; any thread. */
    List<String> names() {
        Running now = newest;
        return now == null || !now.pipeline.isRunning()
                ? List.copyOf(known.extract().shards().keySet())
                : inUse(now.pipeline);
    }

    private static List<String> inUse(TaskPipeline now) {
        List<String> names = new ArrayList<>();
        now.readers().all().forEach(reader -> names.add(reader.name()));
        names.addAll(now.relayed().keySet());
        return names;
    }

    /**
     * A pipeline runs from now on.
     *
     * @param durableCut number of its newest cut that is durable
     */
    void runs(TaskPipeline pipeline, LongSupplier durableCut) {
        newest = new Running(pipeline, durableCut);
        renewed();
    }

    /** The next pipeline reads what the durable cut says, so that tells whether the change is durable. */
    private synchronized void renewed() {
        TaskPipeline now = newest.pipeline;
        if (renewal == null || now == renewal.before()) {
            return;
        }
        Renewal change = renewal;
        renewal = null;
        boolean isDone = change.isDone(inUse(now));
        ends(isDone ? Progress.DONE : Progress.FAILED, isDone ? change.done() : change.undone());
    }

    private synchronized void giveUpRenewal() {
        if (renewal != null && renewal.isLate(clock.nanoTime())) {
            String late = renewal.late();
            renewal = null;
            ends(Progress.FAILED, late);
        }
    }

    @Override
    public synchronized State ask(Verb verb, String shard, Duration patience) {
        giveUpRenewal();
        if (state.progress() != Progress.RUNNING) {
            state = new State(state.number() + 1, Progress.RUNNING, "waits for its turn");
            waiting = new Request(verb, shard, patience);
        }
        return state;
    }

    @Override
    public State state() {
        giveUpRenewal();
        return state;
    }

    private void says(String message) {
        state = new State(state.number(), Progress.RUNNING, message);
    }

    private void ends(Progress progress, String message) {
        LOG.info("{}: {}", progress, message);
        state = new State(state.number(), progress, message);
    }

    /** The node's own thread: does what has been asked for, and blocks meanwhile. */
    void look() {
        useNewSettings();
        Request request = waiting;
        if (request == null) {
            return;
        }
        waiting = null;
        String what = request.verb.name().toLowerCase(Locale.ROOT) + " shard " + request.shard;
        LOG.info("asked to {}", what);
        try {
            Optional<String> done = stop.during(closesClient, () -> run(request));
            done.ifPresent(message -> ends(Progress.DONE, message)); // else the next pipeline tells
        } catch (TributaryException e) {
            LOG.warn("{}", what);
            ends(Progress.FAILED, e.line());
        } catch (RuntimeException e) { // a request that fails is no failure of what runs
            LOG.error("{}", what, e);
            ends(Progress.FAILED, Failures.of(what, e).line());
        }
    }

    private Optional<String> run(Request request) {
        Running now = newest;
        if (now == null || !now.pipeline.isRunning()) {
            throw Waiting.failed(
                    "expected a running pipeline, found none: see the node's status; a Task has one while a Dumper is connected");
        }
        Waiting patience = new Waiting(stop, now.pipeline::isRunning, clock, request.patience);
        return request.verb == Verb.ADD ? add(request.shard, now, patience) : remove(request.shard, now, patience);
    }

    private static Optional<ShardReader> find(TaskPipeline now, String shard) {
        return now.readers().all().stream()
                .filter(reader -> reader.name().equals(shard))
                .findFirst();
    }

    private Optional<String> add(String shard, Running running, Waiting patience) {
        TaskPipeline now = running.pipeline;
        List<String> inUse = inUse(now);
        if (inUse.contains(shard)) {
            return Optional.of("shard " + shard + " is read already");
        }
        ShardFile.Places read = file.with(shard, known, inUse);
        Optional<String> relay = read.relays().of(shard);
        relay.ifPresent(name -> requireServed(name, shard, read, inUse, patience));
        knows(shard, read);
        long cut =
                new ShardJoin(shard, read.extract().shards().get(shard), client.get(), now, patience, this::says).run();
        String done = "shard " + shard + " is read, and in the binlog from cut " + cut + " on";
        if (relay.isEmpty()) {
            return Optional.of(awaitDurable(done, cut, patience, running));
        }
        awaitWritten(cut, patience, running);
        renew("relay " + relay.get() + " reads shard " + shard + " from now on", now, shard, true, done);
        return Optional.empty();
    }

    /** A relay that would refuse the streams that are opened anew is found before anything has changed. */
    private void requireServed(
            String relay, String shard, ShardFile.Places read, List<String> inUse, Waiting patience) {
        says("asks relay " + relay + " whether it would read shard " + shard);
        Set<String> asked = new TreeSet<>(read.relays().relays().get(relay).shards());
        asked.retainAll(inUse);
        asked.add(shard);
        try (RelayQuestion question =
                settings.with(settings.extract(), read.relays()).question(relay, asked)) {
            patience.answer(question.answer(), "an answer of relay " + relay);
        }
    }

    private synchronized void knows(String shard, ShardFile.Places read) {
        known = known.with(shard, read.extract().shards().get(shard), read.relays());
    }

    /**
     * Takes the live keys of shards that it knows; the pipeline that runs is built again with them at the next look. Any thread.
     *
     * @param newer the other keys of a shard do not count
     */
    synchronized void take(Config newer) {
        newer.get(ExtractorConfig.class).shards().forEach((name, shard) -> {
            ShardConfig stands = known.extract().shards().get(name);
            if (stands != null && !stands.hasLiveKeysOf(shard)) {
                known = known.with(name, stands.withLiveKeysOf(shard), known.relays());
                newSettings.add(name);
            }
        });
    }

    private synchronized List<String> takeNewSettings() {
        List<String> names = List.copyOf(newSettings);
        newSettings.clear();
        return names;
    }

    /** A pipeline that was built with them already is built again too. */
    private void useNewSettings() {
        Running now = newest;
        if (now == null || !now.pipeline.isRunning()) {
            return;
        }
        List<String> names = takeNewSettings();
        if (!names.isEmpty()) {
            now.pipeline.renew("live keys of the shards " + names + " have changed");
        }
    }

    private Optional<String> remove(String shard, Running running, Waiting patience) {
        TaskPipeline now = running.pipeline;
        Optional<ShardReader> reader = find(now, shard);
        TaskPipeline.Relayed relayed = now.relayed().get(shard);
        if (reader.isEmpty() && relayed == null) {
            return Optional.of("shard " + shard + " is not read; its keys can be removed from the configuration file");
        }
        if (inUse(now).size() == 1) {
            throw Waiting.failed("expected another shard beside " + shard + ", found none: the last one stays");
        }
        int index = reader.isPresent() ? reader.get().index() : relayed.index();
        Collector.Leaving left = new ShardLeave(shard, index, now, patience, this::says).run();
        String done = "shard " + shard + " is read no more, since cut " + left.cut() + "; it was read up to "
                + left.last().frontier().line() + "; its keys can be removed from the configuration file";
        if (reader.isPresent()) {
            now.leave(reader.get(), patience);
            return Optional.of(awaitDurable(done, left.cut(), patience, running));
        }
        now.leaveRelayed(shard);
        awaitWritten(left.cut(), patience, running);
        renew("no relay reads shard " + shard + " any more", now, shard, false, done);
        return Optional.empty();
    }

    /** Relays are told which shards to read when their streams are opened. */
    void renew(String why, TaskPipeline now, String shard, boolean isToBeRead, String done) {
        says("has the streams opened anew: " + why);
        synchronized (this) {
            renewal = new Renewal(now, shard, isToBeRead, done, clock.nanoTime());
        }
        try {
            now.renew(why);
        } catch (RuntimeException e) { // nothing is opened anew: a later pipeline is not its outcome
            synchronized (this) {
                renewal = null;
            }
            throw e;
        }
        renewed(); // it may have ended before, and another one may run
    }

    /**
     * The streams that are opened anew go on behind what is durable then: with the change or without it, and both is sound. Without it only where
     * this pipeline ends before the change is durable; what is read then tells.
     */
    private void awaitWritten(long cut, Waiting patience, Running running) {
        awaitDurable(cut, patience, running, () -> !running.pipeline.isRunning());
    }

    private String awaitDurable(String done, long cut, Waiting patience, Running running) {
        awaitDurable(cut, patience, running, () -> false);
        return done;
    }

    private void awaitDurable(long cut, Waiting patience, Running running, BooleanSupplier isEnough) {
        says("waits until cut " + cut + " is durable");
        patience.anew(MOST_UNTIL_DURABLE)
                .until(
                        () -> running.durableCut.getAsLong() >= cut || isEnough.getAsBoolean(),
                        () -> "cut " + cut + " to be durable");
    }
}
