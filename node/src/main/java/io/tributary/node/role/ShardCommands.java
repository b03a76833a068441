package io.tributary.node.role;

import io.tributary.collector.Collector;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.node.admin.ShardRequests;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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

    private final ShardFile file;
    private final StopSignal stop;
    private final Clock clock;
    private final Supplier<MysqlClient> client;
    private final Runnable closesClient;
    private volatile ExtractorConfig known;
    private volatile TaskPipeline pipeline;
    private volatile State state = State.NONE;
    private volatile Request waiting;

    /** Where a request finds whether what it did is durable. */
    interface Durability {
        /** Whether this node can tell. */
        boolean isKnown();

        /** Whether the cut of this number, or a later one, is durable. */
        boolean isDurable(long cut);

        /** Where the files are with somebody else. */
        Durability UNKNOWN = new Durability() {
            @Override
            public boolean isKnown() {
                return false;
            }

            @Override
            public boolean isDurable(long cut) {
                return false;
            }
        };
    }

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
        this.file = new ShardFile(started, file);
        this.stop = stop;
        this.clock = clock;
        this.client = client;
        this.closesClient = closesClient;
        this.known = started.get(ExtractorConfig.class);
    }

    /** Where all shards are. */
    ExtractorConfig known() {
        return known;
    }

    /** The shards that are read now, else those of the configuration; any thread. */
    List<String> names() {
        TaskPipeline now = pipeline;
        return now == null || !now.isRunning() || !now.relayed().isEmpty()
                ? List.copyOf(known.shards().keySet())
                : now.readers().all().stream().map(ShardReader::name).toList();
    }

    /** A pipeline runs from now on. */
    void runs(TaskPipeline newest) {
        pipeline = newest;
    }

    @Override
    public synchronized State ask(Verb verb, String shard, Duration patience) {
        if (state.progress() != Progress.RUNNING) {
            state = new State(state.number() + 1, Progress.RUNNING, "waits for its turn");
            waiting = new Request(verb, shard, patience);
        }
        return state;
    }

    @Override
    public State state() {
        return state;
    }

    private void says(Progress progress, String message) {
        state = new State(state.number(), progress, message);
    }

    /** The node's own thread: does what has been asked for, and blocks meanwhile. */
    void look(Durability durability) {
        Request request = waiting;
        if (request == null) {
            return;
        }
        waiting = null;
        String what = request.verb.name().toLowerCase(Locale.ROOT) + " shard " + request.shard;
        LOG.info("asked to {}", what);
        try {
            String done = stop.during(closesClient, () -> run(request, durability));
            LOG.info("{}: {}", what, done);
            says(Progress.DONE, done);
        } catch (TributaryException e) {
            LOG.warn("{}: {}", what, e.line());
            says(Progress.FAILED, e.line());
        } catch (RuntimeException e) { // a request that fails is no failure of what runs
            LOG.error("{}", what, e);
            says(Progress.FAILED, Failures.of(what, e).line());
        }
    }

    private String run(Request request, Durability durability) {
        TaskPipeline now = pipeline;
        if (now == null || !now.isRunning()) {
            throw Waiting.failed(
                    "expected a running pipeline, found none: see the node's status; a Task has one while a Dumper is connected");
        }
        if (now.relayed().contains(request.shard)) {
            throw Waiting.failed("expected a shard that this node reads itself, found " + request.shard
                    + ", which a relay reads: its set of shards does not change while it runs");
        }
        Waiting patience = new Waiting(stop, now::isRunning, clock, request.patience);
        return request.verb == Verb.ADD
                ? add(request.shard, now, patience, durability)
                : remove(request.shard, now, patience, durability);
    }

    private static Optional<ShardReader> find(TaskPipeline now, String shard) {
        return now.readers().all().stream()
                .filter(reader -> reader.name().equals(shard))
                .findFirst();
    }

    private String add(String shard, TaskPipeline now, Waiting patience, Durability durability) {
        if (find(now, shard).isPresent()) {
            return "shard " + shard + " is read already";
        }
        List<String> inUse = now.readers().all().stream().map(ShardReader::name).toList();
        ExtractorConfig read = file.with(shard, known, inUse);
        Map<String, ShardConfig> all = new LinkedHashMap<>(known.shards());
        all.put(shard, read.shards().get(shard));
        known = known.withShards(all);
        long cut = new ShardJoin(
                        shard,
                        read.shards().get(shard),
                        client.get(),
                        now,
                        patience,
                        message -> says(Progress.RUNNING, message))
                .run();
        return awaitDurable(
                "shard " + shard + " is read, and in the binlog from cut " + cut + " on", cut, patience, durability);
    }

    private String remove(String shard, TaskPipeline now, Waiting patience, Durability durability) {
        Optional<ShardReader> reader = find(now, shard);
        if (reader.isEmpty()) {
            return "shard " + shard + " is not read; its keys can be removed from the configuration file";
        }
        if (now.readers().all().size() == 1) {
            throw Waiting.failed("expected another shard beside " + shard + ", found none: the last one stays");
        }
        Collector.Leaving left =
                new ShardLeave(reader.get(), now, patience, message -> says(Progress.RUNNING, message)).run();
        String done = "shard " + shard + " is read no more, since cut " + left.cut() + "; it was read up to "
                + left.last().frontier().line() + "; its keys can be removed from the configuration file";
        return awaitDurable(done, left.cut(), patience, durability);
    }

    private String awaitDurable(String done, long cut, Waiting patience, Durability durability) {
        if (!durability.isKnown()) {
            return done + ", once the Dumper's status shows cut " + cut
                    + " or a later one (until then a restart goes back to before)";
        }
        says(Progress.RUNNING, "waits until cut " + cut + " is durable");
        patience.anew(MOST_UNTIL_DURABLE).until(() -> durability.isDurable(cut), () -> "cut " + cut + " to be durable");
        return done;
    }
}
