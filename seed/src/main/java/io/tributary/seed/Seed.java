package io.tributary.seed;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.checkpoint.Checkpoint;
import io.tributary.seed.checkpoint.Checkpoints;
import io.tributary.seed.checkpoint.ShardPositions;
import io.tributary.seed.replay.ReplayLog;
import io.tributary.seed.replica.ReplicaStart;
import io.tributary.seed.replica.TargetCheck;
import io.tributary.seed.replica.TargetProgress;
import io.tributary.seed.replica.TargetSchema;
import io.tributary.seed.replica.TargetWriters;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.verify.Finding;
import io.tributary.seed.verify.TableResult;
import io.tributary.seed.verify.Verifier;
import io.tributary.seed.verify.VerifyListener;
import io.tributary.seed.verify.VerifyOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;

/**
 * Makes an empty server a replica of the stream, while the shards change: rounds of a copy without locks and of a replay that overwrites, until the
 * target is exactly what the stream says; then replication. A run that was ended in any way is resumed by another one.
 */
public final class Seed {
    private static final Duration START_LIMIT = Duration.ofMinutes(1);
    private static final Duration COMPARE_LIMIT = Duration.ofMinutes(10);
    private static final int SAMPLED_CHUNK = 2000;
    private static final int MOST_FINDINGS = 10;

    private SeedServers servers;
    private final SeedSettings settings;
    private final Environment environment;
    private final TableNames names;

    /**
     * What a seed uses.
     *
     * @param client opens all connections
     * @param threads with a free thread for each worker and each session; not owned
     */
    public record Environment(MysqlClient client, ExecutorService threads, Clock clock, SeedListener listener) {}

    /** @param names the mapping of the node's configuration */
    public Seed(SeedServers servers, SeedSettings settings, TableNames names, Environment environment) {
        this.servers = servers;
        this.settings = settings;
        this.names = names;
        this.environment = environment;
    }

    /**
     * Runs it until the target replicates.
     *
     * @return the tables that were seeded, as the last round has found them
     * @throws TributaryException TARGET_* and SHARD_* of a server, SQL_FAILED, NODE_UNREACHABLE, READER_REFUSED,
     *     SEED_FAILED
     */
    public List<LogicalTable> run() {
        MysqlClient client = environment.client();
        SeedListener listener = environment.listener();
        try (SqlSession node = SqlSession.open(client, servers.node());
                SqlSession target = SqlSession.open(client, servers.target());
                ShardPositions shards = new ShardPositions(client, servers.shards(), environment.clock())) {
            requireAlone(target);
            TargetProgress progress = new TargetProgress(target);
            boolean isResumed = progress.begun().isPresent();
            new TargetCheck(target).require(isResumed, shards.newestVersion());
            TargetSchema.prepare(target);
            servers = servers.with(shards.peers());
            Checkpoints stream = new Checkpoints(node, environment.clock());
            SeedRounds.Sessions sessions =
                    new SeedRounds.Sessions(new StreamDefinitions(node), node, target, stream, shards);
            List<LogicalTable> tables = fill(sessions, progress, isResumed);
            progress.remove();
            listener.step("Replication from " + servers.source().host() + ":"
                    + servers.source().port() + " runs");
            compare(tables, stream);
            return tables;
        }
    }

    /** Makes the target a replica of the stream, unless another seed of it begins meanwhile. */
    private List<LogicalTable> fill(SeedRounds.Sessions sessions, TargetProgress progress, boolean isResumed) {
        SqlSession target = sessions.target();
        TargetWriters writers = TargetWriters.begin(environment.client(), target);
        try {
            begin(progress, sessions.node(), sessions.stream());
            progress.purge();
            ReplayLog.fold(writers);
            requireSameShards(progress);
            environment
                    .listener()
                    .step(
                            isResumed
                                    ? "Resuming the seed of " + servers.target().name()
                                    : "The target " + servers.target().name() + " is empty and fit");
            List<LogicalTable> tables = new SeedRounds(this, sessions, progress, writers).run();
            new ReplicaStart(target, environment.clock())
                    .start(servers.source(), sessions.stream().newest(), START_LIMIT);
            return tables;
        } catch (TributaryException e) {
            throw writers.explained(e);
        }
    }

    /**
     * Two seeds of one target would write rows of different moments. The lock ends with the session, so that of a frozen process may be lost: its other
     * sessions are ended by {@link TargetWriters}.
     */
    private void requireAlone(SqlSession target) {
        if (!"1".equals(target.value("SELECT GET_LOCK('" + TargetProgress.SCHEMA + "', 10)"))) {
            throw target.unfit(
                    ErrorCode.TARGET_UNFIT,
                    "expected no other seed of this server, found one in connection "
                            + target.value("SELECT IS_USED_LOCK('" + TargetProgress.SCHEMA + "')")
                            + " | wait until it has ended, or KILL this connection");
        }
    }

    /**
     * If another server of a shard has taken over since the last run, the copied rows may contain transactions that it does not have: the tables are copied
     * again.
     */
    private void requireSameShards(TargetProgress progress) {
        Map<String, String> identities = new TreeMap<>();
        servers.shards().forEach(shard -> identities.put(shard.name(), shard.identity()));
        Map<String, String> before = progress.shards();
        List<String> changed = before.keySet().stream()
                .filter(shard -> !before.get(shard).equals(identities.get(shard)))
                .toList();
        if (!changed.isEmpty()) {
            progress.dirty(progress.copying().keySet());
            environment
                    .listener()
                    .step(
                            "Copied again: the tables of the last round, because another server of these shards has taken over: "
                                    + changed);
        }
        progress.shards(identities);
    }

    private void begin(TargetProgress progress, SqlSession node, Checkpoints stream) {
        String uuid = node.value("SELECT @@GLOBAL.server_uuid");
        if (progress.begun().isPresent()) {
            progress.requireStream(uuid);
            return;
        }
        Checkpoint first = stream.newest();
        progress.begin(first.executed(), uuid);
        environment
                .listener()
                .step("The copy begins after transaction " + first.transactions() + " of the stream " + uuid);
    }

    /** Compares a sample of the rows with the shards, while all of them change. */
    private void compare(List<LogicalTable> tables, Checkpoints stream) {
        if (settings.sample() == 0) {
            return;
        }
        List<Finding> findings = Collections.synchronizedList(new ArrayList<>());
        List<TableResult> results = sample(stream, findings)
                .run(
                        tables.stream()
                                .filter(table -> !table.members().isEmpty()
                                        && !table.key().isEmpty())
                                .toList(),
                        environment.threads(),
                        settings.workers());
        if (!findings.isEmpty()) {
            throw new TributaryException(
                    ErrorCode.SEED_FAILED,
                    servers.target() + ": expected the rows of the shards, found " + findings.size()
                            + " that differ, the first one: " + findings.get(0)
                            + " | tributary verify shows all of them");
        }
        long rows = results.stream().mapToLong(TableResult::rows).sum();
        environment.listener().step("Compared " + rows + " rows (a sample of " + settings.sample() + " %): equal");
    }

    private Verifier sample(Checkpoints stream, List<Finding> findings) {
        VerifyListener compared = new VerifyListener() {
            @Override
            public void chunk(TableName table, long rows) {
                // the sample is small
            }

            @Override
            public void found(Finding finding) {
                findings.add(finding);
            }
        };
        VerifyOptions.Volume volume = new VerifyOptions.Volume(SAMPLED_CHUNK, settings.sample(), 0, MOST_FINDINGS, 0);
        VerifyOptions options = new VerifyOptions(volume, VerifyOptions.Mode.PLAIN, COMPARE_LIMIT);
        Object turn = new Object();
        return new Verifier(
                servers.target(),
                () -> {
                    synchronized (turn) {
                        return stream.newest();
                    }
                },
                new Verifier.Work(environment.client(), options, compared, environment.clock()));
    }

    SeedServers servers() {
        return servers;
    }

    SeedSettings settings() {
        return settings;
    }

    Environment environment() {
        return environment;
    }

    TableNames names() {
        return names;
    }

    /** The account with which the target will replicate: the stream that it gets is replayed. */
    Peer source() {
        return Peer.node(
                servers.node().endpoint().with(servers.source().credentials()),
                servers.node().timeout());
    }
}
