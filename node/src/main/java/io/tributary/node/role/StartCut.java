package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import io.tributary.extractor.CleanStart;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardCheck;
import io.tributary.extractor.ShardConfig;
import io.tributary.mysql.protocol.client.MysqlClient;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds where a pipeline goes on, and refuses what cannot be gone on with. */
final class StartCut {
    private static final Logger LOG = LoggerFactory.getLogger(StartCut.class);

    private StartCut() {}

    /**
     * Where a pipeline goes on.
     *
     * @param cut the last durable one, else one made of the shards' configured starts
     * @param version the server version that the output is to name
     * @param extract with the server of each shard that is in charge
     */
    record Found(Cut cut, String version, ExtractorConfig extract) {
        /** The same for a writer whose epoch has begun already, also where nothing was written under it. */
        Found under(long epoch) {
            return cut.epoch() >= epoch ? this : new Found(cut.under(epoch), version, extract);
        }
    }

    /**
     * The cut to go on from: the last durable one, else one made of the shards' configured starts. Blocks while the shards
     * are looked at.
     *
     * @param config has the shards of {@link #shardsOf}
     * @throws TributaryException what is wrong with the shards
     */
    static Found find(ExtractorConfig config, OriginConfig origin, Optional<Cut> resume, MysqlClient client) {
        resume.ifPresent(StartCut::requireOwnVersion);
        Map<String, Cut.ShardCut> cuts = new LinkedHashMap<>();
        resume.ifPresent(cut -> cut.shards().forEach(shard -> cuts.put(shard.name(), shard)));
        ShardCheck.Report report = new ShardCheck(client, config).check(config.shards(), cuts);
        report.problems().stream().filter(problem -> problem.isWarning()).forEach(warning -> LOG.warn("{}", warning));
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
                            + ": expected no DDL statement under way in the form of an earlier version, found"
                            + " some: start that version, run the statements on every shard, wait until its ddl.pending is"
                            + " empty, then upgrade");
        }
    }

    private static Cut beginning(ExtractorConfig config, ShardCheck.Report report, MysqlClient client) {
        List<Cut.ShardCut> shards = config.shards().entrySet().stream()
                .map(shard -> new CleanStart(shard.getKey(), shard.getValue(), client)
                        .firstCut(report.facts().get(shard.getKey())))
                .toList();
        return new Cut(0, 0, 0, 0, shards, Set.of(), SchemaState.NONE);
    }

    /**
     * The configuration with the shards that are to be read: those of the cut, since only `tributary shard` changes which they are; for a
     * new stream all.
     *
     * @throws TributaryException SHARDS_CHANGED when the configuration does not say where one of them is
     */
    static ExtractorConfig shardsOf(ExtractorConfig config, Optional<Cut> resume) {
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
                    "shard {} stands in the configuration and is NOT READ, since cut {} does not have it: run tributary shard add {}, or"
                            + " remove its keys",
                    idle,
                    cut.number(),
                    idle);
        }
        return config.withShards(shards);
    }
}
