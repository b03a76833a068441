package io.tributary.node.task;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.check.ShardCheck;
import io.tributary.extractor.check.StartPositionFinder;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the cut from which a pipeline resumes, and refuses one from which it cannot resume. */
public final class StartCut {
    private static final Logger LOG = LoggerFactory.getLogger(StartCut.class);

    private StartCut() {}

    /**
     * Start of a pipeline.
     *
     * @param cut the last durable one, otherwise one built from the shards' configured start positions
     * @param version server version for the output
     * @param extract with the active server of each shard
     */
    public record Found(Cut cut, String version, ExtractorConfig extract) {
        /** The same start for a writer whose epoch has already begun, also if nothing was written under it. */
        public Found under(long epoch) {
            return cut.epoch() >= epoch ? this : new Found(cut.under(epoch), version, extract);
        }
    }

    /**
     * Finds the start: the last durable cut, otherwise one built from the shards' configured start positions. Blocks while the shards are checked.
     *
     * @param config with the shards of {@link #shardsOf}
     * @throws TributaryException the problems of the shards
     */
    public static Found find(ExtractorConfig config, OriginConfig origin, Optional<Cut> resume, MysqlClient client) {
        resume.ifPresent(StartCut::requireOwnVersion);
        Map<String, Cut.ShardCut> cuts = new LinkedHashMap<>();
        resume.ifPresent(cut -> cut.shards().forEach(shard -> cuts.put(shard.name(), shard)));
        ShardCheck.Report report = new ShardCheck(client, config).check(config.shards(), cuts);
        report.problems().stream()
                .filter(problem -> problem.isWarning())
                .forEach(warning -> LOG.warn("shard check warning: problem=\"{}\"", warning));
        report.requireFit();
        String version = origin.version(report.facts().values());
        ExtractorConfig found = config.withShards(report.shards());
        return new Found(resume.orElseGet(() -> beginning(found, report, client)), version, found);
    }

    private static void requireOwnVersion(Cut cut) {
        if (cut.schema().isOfEarlierVersion()) {
            throw new TributaryException(
                    ErrorCode.CUT_UNUSABLE,
                    "cut " + cut.number()
                            + ": expected no pending DDL statement in the format of an earlier version, found"
                            + " some: start that version, run the statements on every shard, wait until its ddl.pending is"
                            + " empty, then upgrade");
        }
    }

    private static Cut beginning(ExtractorConfig config, ShardCheck.Report report, MysqlClient client) {
        List<Cut.ShardCut> shards = config.shards().entrySet().stream()
                .map(shard -> new StartPositionFinder(shard.getKey(), shard.getValue(), client)
                        .firstCut(report.facts().get(shard.getKey())))
                .toList();
        return Cut.beginning(shards);
    }

    /**
     * Returns the configuration with the shards that have to be read: those of the cut, because only `tributary shard` changes this set; all shards
     * for a new stream.
     *
     * @throws TributaryException SHARDS_CHANGED when the configuration does not contain one of them
     */
    public static ExtractorConfig shardsOf(ExtractorConfig config, Optional<Cut> resume) {
        if (resume.isEmpty()) {
            return config;
        }
        Cut cut = resume.get();
        Set<String> configured = new TreeSet<>(config.shards().keySet());
        Map<String, ShardConfig> shards = new LinkedHashMap<>();
        Set<String> names = new TreeSet<>();
        cut.shards().forEach(shard -> names.add(shard.name()));
        if (!configured.containsAll(names)) {
            throw new TributaryException(
                    ErrorCode.SHARDS_CHANGED,
                    "expected the shards " + names + " of cut " + cut.number() + ", found " + configured
                            + " in the configuration");
        }
        names.forEach(configured::remove);
        cut.shards().forEach(shard -> shards.put(shard.name(), config.shards().get(shard.name())));
        for (String idle : configured) {
            LOG.warn(
                    "shard not read: shard={} reason=\"it is configured, but not in cut {}\" action=\"run tributary shard add {}, or"
                            + " remove its keys\"",
                    idle,
                    cut.number(),
                    idle);
        }
        return config.withShards(shards);
    }
}
