package io.tributary.node.role;

import io.tributary.backup.BackupTurn;
import io.tributary.backup.Manifest;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Lease;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.pipeline.Inlet;
import io.tributary.common.value.Chunk;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.BinlogFiles;
import io.tributary.dumper.BinlogPlace;
import io.tributary.dumper.DurableEnd;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.dumper.find.SearchGoal;
import io.tributary.dumper.replicate.LeadStage;
import io.tributary.dumper.replicate.LogIdentity;
import io.tributary.dumper.replicate.ReplicateConfig;
import io.tributary.dumper.replicate.Witnesses;
import io.tributary.dumper.serve.NodeTables;
import io.tributary.node.admin.CutFacts;
import io.tributary.store.JournalMap;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of the binlog files and all that lives as long as the node holds it: lock, server of readers. Pipelines that write
 * come and go within it.
 */
final class BinlogKeeper implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BinlogKeeper.class);

    private final BinlogConfig config;
    private final boolean learnsVersion;
    private final ReplicateConfig replicate;
    private final LogIdentity identity;
    private final NodeBackup backup;
    private final Metrics metrics;
    private final Clock clock;
    private final BinlogDirectory directory;
    private final AtomicReference<Config> live;
    private final ReaderDesk desk;
    private BinlogFiles files; // those of the first recovery, kept for the readers
    private String greeting; // the version that readers are told
    private volatile Leading leading; // null without followers
    private final Upkeep upkeep;
    private volatile Serving serving;
    private volatile FailureSink current = cause -> {};

    /** What is served now, for the status. */
    private record Serving(BinlogFiles files, CutWatch cuts) {}

    /**
     * Takes the folder.
     *
     * @param node what readers may ask of the rest of the node
     * @param startup waits for the backup where the folder is empty
     * @throws io.tributary.common.error.TributaryException DIRECTORY_UNUSABLE, DIRECTORY_IN_USE
     */
    BinlogKeeper(Config config, NodeTables node, Metrics metrics, Clock clock, Startup startup) {
        this.config = config.get(BinlogConfig.class);
        this.learnsVersion = this.config.serverVersion().isEmpty();
        this.replicate = config.get(ReplicateConfig.class);
        this.identity = new LogIdentity(config.get(ClusterConfig.class).id(), this.config.name());
        this.metrics = metrics;
        this.clock = clock;
        this.backup = new NodeBackup(config, metrics, clock, startup);
        this.directory =
                BinlogDirectory.open(this.config, clock, backup.filling().patiently(backup.filling()::fill));
        this.upkeep = new Upkeep(backup, BackupTurn.ALWAYS, false, metrics, cause -> current.failed(cause));
        this.live = new AtomicReference<>(config);
        this.desk = desk(node);
    }

    private ReaderDesk desk(NodeTables node) {
        try {
            return new ReaderDesk(live::get, node, backup, false, metrics, clock);
        } catch (TributaryException e) {
            directory.close();
            throw e;
        }
    }

    /** The journal's map at the last cut, after {@link #recover} and before anything is written behind it. */
    JournalMap journal() {
        return directory.journal();
    }

    /** The UUID of the GTIDs in the files. */
    UUID uuid() {
        return directory.serverUuid();
    }

    /** Which copy of the binlog the folder holds: another one on a machine where it was restored. */
    UUID copy() {
        return directory.copyId(clock);
    }

    /**
     * Cuts the files off behind the last durable cut, and serves readers up to there. No pipeline may be writing. Readers that are
     * there already read on.
     *
     * @param version asked for the server version to name where neither configuration nor files say it; null for not known
     */
    Recovered recover(Supplier<String> version) {
        BinlogConfig named =
                learnsVersion ? named(directory.newestVersion().or(() -> Optional.ofNullable(version.get()))) : config;
        boolean isNewReign = replicate.isCopied() && leading == null;
        Recovered found = isNewReign
                ? Recovery.runForLeader(directory, named, last -> CutEpoch.of(CutEpoch.leader(last) + 1), clock)
                : Recovery.run(directory, named, clock);
        long epoch = CutEpoch.leader(found.cut().epoch());
        DurableEnd end = found.files().writtenEnd();
        LOG.info(
                "binlog: {} files in {}, ends at {}:{} behind transaction {}",
                found.files().written().size(),
                directory.path(),
                end.file(),
                end.offset(),
                end.gno());
        if (files == null) {
            files = found.files();
            greeting = named.version();
        } else {
            found = found.into(files);
        }
        upkeep.keep(files);
        lead(epoch);
        desk.open(files, greeting);
        return found;
    }

    /** Takes followers, where it has any: each start under an epoch of its own, which goes on when pipelines come and go. */
    private void lead(long epoch) {
        boolean isFirst = leading == null;
        if (!replicate.isCopied() || !isFirst && !leading.hasFailed()) {
            return;
        }
        int needed = replicate.quorum().followers();
        if (isFirst && needed > 0) {
            files.holdBackAll();
        }
        long reign = isFirst ? epoch : leading.epoch();
        close(leading);
        leading = new Leading(
                replicate,
                identity,
                new LeadStage.Reign(
                        reign,
                        BinlogPlace.of(files.writtenEnd()),
                        needed,
                        Witnesses.all(),
                        Lease.FOREVER,
                        heardAt -> {}),
                files,
                metrics.child(),
                clock,
                cause -> current.failed(cause));
    }

    private static void close(Leading leading) {
        if (leading != null) {
            leading.close();
        }
    }

    /** Opens the node for readers once enough followers have something; to be called now and then. */
    void look() {
        BinlogFiles now = files;
        if (!desk.isOpen() && now != null) {
            try {
                desk.open(now, greeting);
            } catch (TributaryException e) {
                current.failed(e);
            }
        }
    }

    private BinlogConfig named(Optional<String> version) {
        return version.map(config::withVersion).orElse(config);
    }

    /**
     * Makes the stages that write behind what was recovered.
     *
     * @param version what new files name where the configuration does not say it; empty: as the transactions do
     */
    WritePipeline write(Recovered recovered, Inlet<Chunk> chunks, Optional<String> version) {
        BinlogConfig named = learnsVersion ? named(version) : config;
        CutWatch cuts = new CutWatch(chunks, recovered.resume());
        WritePipeline pipeline =
                new WritePipeline(named, directory, recovered, cuts, Lease.FOREVER, backup, metrics.child(), clock);
        serving = new Serving(files, cuts);
        return pipeline;
    }

    /** Where failures beside the pipeline that writes now are reported. */
    void onFailure(FailureSink failure) {
        current = failure;
    }

    /** Number of the newest cut that is durable; 0 before anything is served. */
    long durableCut() {
        Serving now = serving;
        return now == null ? 0 : now.files.durableEnd().cut();
    }

    /** Where readers come. */
    InetSocketAddress address() {
        return desk.address();
    }

    /** Looks for a place in the binlog; fails while there is nothing served. */
    CompletableFuture<NodeTables.Table> find(SearchGoal goal) {
        return desk.find(goal);
    }

    /** As {@link Role#take}. */
    void take(Config newer) {
        live.set(newer);
        backup.take(newer);
    }

    /** The files in the backup; fails where there is none. */
    CompletableFuture<Manifest> backup() {
        return backup.manifest();
    }

    /** What there is, for the status. */
    Map<String, String> facts() {
        Map<String, String> facts = new LinkedHashMap<>();
        Serving now = serving;
        if (now == null) {
            return facts;
        }
        DurableEnd end = now.files.durableEnd();
        desk.addTo(facts);
        facts.put("server.uuid", now.files.serverUuid().toString());
        facts.put("binlog", end.file() + ":" + end.offset());
        facts.put("gtid.executed", now.files.executed().line());
        facts.put("gtid.purged", now.files.purged().line());
        now.cuts.durable().ifPresent(cut -> new CutFacts(cut).addTo(facts));
        Leading leads = leading;
        if (leads != null) {
            leads.addTo(facts);
        }
        backup.addTo(facts);
        return facts;
    }

    /** Ends all readers and gives the folder back; no pipeline may be writing. */
    @Override
    public void close() {
        desk.close();
        close(leading);
        upkeep.close();
        backup.close();
        directory.close();
    }
}
