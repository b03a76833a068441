package io.tributary.node.role;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Cut;
import io.tributary.extractor.CleanStart;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.ShardCheck;
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
     */
    record Found(Cut cut, String version) {}

    /**
     * The cut to go on from: the last durable one, else one made of the shards' configured starts. Blocks while the shards
     * are looked at.
     *
     * @throws TributaryException SHARDS_CHANGED, or what is wrong with the shards
     */
    static Found find(ExtractorConfig config, OriginConfig origin, Optional<Cut> resume, MysqlClient client) {
        resume.ifPresent(cut -> requireSameShards(cut, config.shards().keySet()));
        Map<String, Cut.ShardCut> cuts = new LinkedHashMap<>();
        resume.ifPresent(cut -> cut.shards().forEach(shard -> cuts.put(shard.name(), shard)));
        ShardCheck.Report report = new ShardCheck(client).check(config.shards(), cuts);
        report.problems().stream().filter(problem -> problem.isWarning()).forEach(warning -> LOG.warn("{}", warning));
        report.requireFit();
        String version = origin.version(report.facts().values());
        return new Found(resume.orElseGet(() -> beginning(config, report, client)), version);
    }

    private static Cut beginning(ExtractorConfig config, ShardCheck.Report report, MysqlClient client) {
        List<Cut.ShardCut> shards = config.shards().entrySet().stream()
                .map(shard -> new CleanStart(shard.getKey(), shard.getValue(), client)
                        .firstCut(report.facts().get(shard.getKey())))
                .toList();
        return new Cut(0, 0, 0, 0, shards, Set.of(), List.of());
    }

    static void requireSameShards(Cut cut, Set<String> configured) {
        Set<String> known = new TreeSet<>();
        cut.shards().forEach(shard -> known.add(shard.name()));
        if (!known.equals(configured)) {
            throw new TributaryException(
                    ErrorCode.SHARDS_CHANGED,
                    "expected the shards " + known + " of cut " + cut.number() + ", found " + new TreeSet<>(configured)
                            + " in the configuration");
        }
    }
}
