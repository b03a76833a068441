package io.tributary.node.task;

import io.tributary.collector.Collector;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.node.admin.ShardRequests;
import io.tributary.node.process.BoundedWait;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.process.Failures;
import io.tributary.node.process.StopSignal;
import io.tributary.transmitter.RelayProbe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds and removes shards of a running node, one request at a time. The admin endpoint accepts a request; the node's own thread executes it between
 * its checks of the pipeline. Also keeps the addresses of all shards, including those that were added.
 */
public final class ShardCommands implements ShardRequests {
    private static final Logger LOG = LoggerFactory.getLogger(ShardCommands.class);
    private static final Duration MOST_UNTIL_DURABLE = Duration.ofSeconds(30);

    private final TaskSettings settings;
    private final ShardFile file;
    private final StopSignal stop;
    private final Clock clock;
    private final ShardClient shards;
    private volatile ShardFile.Places known;
    private volatile Running newest;
    private volatile State state = State.NONE;
    private volatile Request waiting;
    private final Set<String> newSettings = new TreeSet<>(); // guarded by this
    private PipelineRestart restart;

    /**
     * A pipeline, with a way to find whether a change is durable.
     *
     * @param durableCut number of its newest durable cut
     */
    private record Running(TaskPipeline pipeline, LongSupplier durableCut) {}

    private record Request(Verb verb, String shard, Duration timeout) {}

    /** @param shards closed to abort work that waits for a shard */
    public ShardCommands(ConfigSource config, StopSignal stop, Clock clock, ShardClient shards) {
        this.settings = TaskSettings.of(config.started());
        this.file = new ShardFile(config);
        this.stop = stop;
        this.clock = clock;
        this.shards = shards;
        this.known = ShardFile.Places.of(config.started());
    }

    /** The addresses of all shards. */
    public ExtractorConfig known() {
        return known.extract();
    }

    /** The relays that read some of the shards. */
    public RelaysConfig relays() {
        return known.relays();
    }

    /** The shards that are read now; those of the configuration if no pipeline runs. Any thread. */
    public List<String> names() {
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
    public void pipelineStarted(TaskPipeline pipeline, LongSupplier durableCut) {
        newest = new Running(pipeline, durableCut);
        checkRestart();
    }

    /** Finishes a change that needs new streams: the next pipeline reads the shards of the durable cut, which shows whether the change is durable. */
    private synchronized void checkRestart() {
        TaskPipeline now = newest.pipeline;
        if (restart == null || now == restart.before()) {
            return;
        }
        PipelineRestart change = restart;
        restart = null;
        boolean isDone = change.isDone(inUse(now));
        finish(isDone ? Progress.DONE : Progress.FAILED, isDone ? change.done() : change.undone());
    }

    private synchronized void failLateRestart() {
        if (restart != null && restart.isLate(clock.nanoTime())) {
            String late = restart.late();
            restart = null;
            finish(Progress.FAILED, late);
        }
    }

    @Override
    public synchronized State submit(Verb verb, String shard, Duration timeout) {
        failLateRestart();
        if (state.progress() != Progress.RUNNING) {
            state = new State(state.number() + 1, Progress.RUNNING, "waits to be executed");
            waiting = new Request(verb, shard, timeout);
        }
        return state;
    }

    @Override
    public State state() {
        failLateRestart();
        return state;
    }

    private void report(String message) {
        state = new State(state.number(), Progress.RUNNING, message);
    }

    private void finish(Progress progress, String message) {
        LOG.info("shard change ends: result={} message=\"{}\"", progress.name().toLowerCase(Locale.ROOT), message);
        state = new State(state.number(), progress, message);
    }

    /** Executes a waiting request; may block. For the node's own thread. */
    public void poll() {
        useNewSettings();
        Request request = waiting;
        if (request == null) {
            return;
        }
        waiting = null;
        String change = request.verb.name().toLowerCase(Locale.ROOT) + " shard " + request.shard;
        LOG.info("shard change starts: verb={} shard={}", request.verb.name().toLowerCase(Locale.ROOT), request.shard);
        try {
            Optional<String> done = stop.during(shards::close, () -> run(request));
            done.ifPresent(message -> finish(Progress.DONE, message)); // otherwise the next pipeline shows the result
        } catch (TributaryException e) {
            LOG.warn("shard change failed: change=\"{}\"", change);
            finish(Progress.FAILED, e.line());
        } catch (RuntimeException e) { // a failed request does not end the pipeline
            LOG.error("shard change failed: change=\"{}\"", change, e);
            finish(Progress.FAILED, Failures.of(change, e).line());
        }
    }

    private Optional<String> run(Request request) {
        Running now = newest;
        if (now == null || !now.pipeline.isRunning()) {
            throw BoundedWait.failed(
                    "expected a running pipeline, found none: see the status of the node; a Task has one while a Dumper is connected");
        }
        BoundedWait timeout = new BoundedWait(stop, now.pipeline::isRunning, clock, request.timeout);
        return request.verb == Verb.ADD ? add(request.shard, now, timeout) : remove(request.shard, now, timeout);
    }

    private static Optional<ShardReader> find(TaskPipeline now, String shard) {
        return now.readers().all().stream()
                .filter(reader -> reader.name().equals(shard))
                .findFirst();
    }

    private Optional<String> add(String shard, Running running, BoundedWait timeout) {
        TaskPipeline now = running.pipeline;
        List<String> inUse = inUse(now);
        if (inUse.contains(shard)) {
            return Optional.of("shard " + shard + " is read already");
        }
        ShardFile.Places read = file.with(shard, known, inUse);
        Optional<String> relay = read.relays().of(shard);
        relay.ifPresent(name -> requireServed(name, shard, read, inUse, timeout));
        addKnown(shard, read);
        long cut = new ShardJoin(shard, read.extract().shards().get(shard), now, timeout, this::report).run();
        String done = "shard " + shard + " is read: its transactions are in the binlog from cut " + cut + " on";
        if (relay.isEmpty()) {
            return Optional.of(awaitDurable(done, cut, timeout, running));
        }
        awaitWritten(cut, timeout, running);
        renew("relay " + relay.get() + " reads shard " + shard + " from now on", now, shard, true, done);
        return Optional.empty();
    }

    /** Finds a relay that would refuse the new streams before anything is changed. */
    private void requireServed(
            String relay, String shard, ShardFile.Places read, List<String> inUse, BoundedWait timeout) {
        report("asks relay " + relay + " to read shard " + shard);
        Set<String> asked = new TreeSet<>(read.relays().relays().get(relay).shards());
        asked.retainAll(inUse);
        asked.add(shard);
        try (RelayProbe probe = settings.with(settings.extract(), read.relays()).probe(relay, asked)) {
            timeout.answer(probe.answer(), "an answer of relay " + relay);
        }
    }

    private synchronized void addKnown(String shard, ShardFile.Places read) {
        known = known.with(shard, read.extract().shards().get(shard), read.relays());
    }

    /**
     * Applies changed live keys of known shards; the running pipeline is built again with them at the next {@link #poll}. Any thread.
     *
     * @param newer keys that are not live are ignored
     */
    public synchronized void update(Config newer) {
        newer.get(ExtractorConfig.class).shards().forEach((name, shard) -> {
            ShardConfig current = known.extract().shards().get(name);
            if (current != null && !current.hasLiveKeysOf(shard)) {
                known = known.with(name, current.withLiveKeysOf(shard), known.relays());
                newSettings.add(name);
            }
        });
    }

    private synchronized List<String> drainNewSettings() {
        List<String> names = List.copyOf(newSettings);
        newSettings.clear();
        return names;
    }

    /** Restarts the pipeline for changed live keys, even if it was built with them already. */
    private void useNewSettings() {
        Running now = newest;
        if (now == null || !now.pipeline.isRunning()) {
            return;
        }
        List<String> names = drainNewSettings();
        if (!names.isEmpty()) {
            now.pipeline.renew("live keys of the shards " + names + " have changed");
        }
    }

    private Optional<String> remove(String shard, Running running, BoundedWait timeout) {
        TaskPipeline now = running.pipeline;
        Optional<ShardReader> reader = find(now, shard);
        TaskPipeline.Relayed relayed = now.relayed().get(shard);
        if (reader.isEmpty() && relayed == null) {
            return Optional.of("shard " + shard + " is not read; its keys can be removed from the configuration file");
        }
        if (inUse(now).size() == 1) {
            throw BoundedWait.failed(
                    "expected another shard beside " + shard + ", found none: the last one cannot be removed");
        }
        int index = reader.isPresent() ? reader.get().index() : relayed.index();
        Collector.Leaving left = new ShardLeave(shard, index, now, timeout, this::report).run();
        String done = "shard " + shard + " is not read any more since cut " + left.cut() + "; it was read up to "
                + left.last().frontier().line() + "; its keys can be removed from the configuration file";
        if (reader.isPresent()) {
            now.leave(reader.get(), timeout);
            return Optional.of(awaitDurable(done, left.cut(), timeout, running));
        }
        now.leaveRelayed(shard);
        awaitWritten(left.cut(), timeout, running);
        renew("no relay reads shard " + shard + " any more", now, shard, false, done);
        return Optional.empty();
    }

    /** Opens all streams again, because a relay receives its list of shards only when a stream is opened. */
    void renew(String why, TaskPipeline now, String shard, boolean isToBeRead, String done) {
        report("waits until the streams are opened again: " + why);
        synchronized (this) {
            restart = new PipelineRestart(now, shard, isToBeRead, done, clock.nanoTime());
        }
        try {
            now.renew(why);
        } catch (RuntimeException e) { // no stream is opened again: a later pipeline does not show its result
            synchronized (this) {
                restart = null;
            }
            throw e;
        }
        checkRestart(); // the pipeline may have ended before, and another one may run
    }

    /**
     * Waits until the change is durable, or this pipeline has ended. The new streams resume after the last durable cut, with or without the change,
     * and both are correct. They resume without it only if this pipeline ended before the change was durable; the shards that are read show that.
     */
    private void awaitWritten(long cut, BoundedWait timeout, Running running) {
        awaitDurable(cut, timeout, running, () -> !running.pipeline.isRunning());
    }

    private String awaitDurable(String done, long cut, BoundedWait timeout, Running running) {
        awaitDurable(cut, timeout, running, () -> false);
        return done;
    }

    private void awaitDurable(long cut, BoundedWait timeout, Running running, BooleanSupplier isEnough) {
        report("waits until cut " + cut + " is durable");
        timeout.restarted(MOST_UNTIL_DURABLE)
                .until(
                        () -> running.durableCut.getAsLong() >= cut || isEnough.getAsBoolean(),
                        () -> "cut " + cut + " to be durable");
    }
}
