package io.tributary.node.dumper;

import io.tributary.common.config.Config;
import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.serve.schema.LogicalNames;
import io.tributary.serve.schema.SchemaProxy;
import io.tributary.serve.schema.SchemaProxyConfig;
import io.tributary.serve.schema.ServeThreads;
import io.tributary.serve.select.SelectConfig;
import io.tributary.serve.select.SelectShards;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Chooses the shard that answers queries about schemas, with its login and the mapping of its names. */
final class SchemaShard {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaShard.class);

    private SchemaShard() {}

    /**
     * Creates the configured proxy; empty if there is none.
     *
     * @param live the newest configuration: the login of the shard may change
     * @throws TributaryException CONFIG_INVALID when serve.schema.shard names no shard
     */
    static Optional<SchemaProxy> proxy(Supplier<Config> live, ServeThreads threads, Clock clock) {
        Config config = live.get();
        SchemaProxyConfig proxyConfig = config.get(SchemaProxyConfig.class);
        SchemaNamesConfig names = config.get(SchemaNamesConfig.class);
        if (proxyConfig.mode() == SchemaProxyConfig.Mode.OFF) {
            return Optional.empty();
        }
        TreeMap<String, ShardConfig> shards = new TreeMap<>(names.shards());
        String name = proxyConfig.shard().orElse(shards.isEmpty() ? "" : shards.firstKey());
        ShardConfig shard = shards.get(name);
        if (shard == null) {
            if (proxyConfig.shard().isPresent()) {
                throw new TributaryException(
                        ErrorCode.CONFIG_INVALID,
                        "serve.schema.shard: expected one of the shards " + shards.keySet() + ", found '" + name + "'");
            }
            return Optional.empty();
        }
        Map<String, io.tributary.extractor.TableMapRule> rules = names.tableMap();
        TableMapping mapping = new TableMapping(rules);
        LOG.info("shard answers schema queries: shard={}", name);
        return Optional.of(new SchemaProxy(
                proxyConfig,
                () -> endpoint(newest(live.get(), name, shard), proxyConfig),
                new LogicalNames(mapping, mapping.isIdentity(), Set.copyOf(names.hidden())),
                threads,
                clock));
    }

    /**
     * All shards, for SELECTs on tables.
     *
     * @param live the newest configuration: the logins of shards may change
     */
    static SelectShards selects(Supplier<Config> live, ServeThreads threads) {
        Config config = live.get();
        SchemaNamesConfig names = config.get(SchemaNamesConfig.class);
        TableMapping mapping = new TableMapping(names.tableMap());
        return new SelectShards(
                config.get(SelectConfig.class),
                () -> endpoints(live.get(), names.shards()),
                new LogicalNames(mapping, mapping.isIdentity(), Set.copyOf(names.hidden())),
                new HiddenTables(names.ddlHidden())::hides,
                threads.workers());
    }

    /** The shards that were configured at the start or are now. */
    private static Map<String, Endpoint> endpoints(Config now, Map<String, ShardConfig> started) {
        Map<String, ShardConfig> all =
                new TreeMap<>(now.get(SchemaNamesConfig.class).shards());
        all.putAll(started);
        Map<String, Endpoint> endpoints = new TreeMap<>();
        all.forEach(
                (name, shard) -> endpoints.put(name, newest(now, name, shard).endpoint()));
        return endpoints;
    }

    private static ShardConfig newest(Config live, String name, ShardConfig started) {
        ShardConfig now = live.get(SchemaNamesConfig.class).shards().get(name);
        return now == null ? started : started.withLiveKeysOf(now);
    }

    private static Endpoint endpoint(ShardConfig shard, SchemaProxyConfig proxyConfig) {
        Endpoint own = shard.endpoint();
        if (proxyConfig.user().isEmpty()) {
            return own;
        }
        Secret password = proxyConfig.password();
        return own.with(new Credentials(proxyConfig.user().get(), password == null ? "" : password.reveal()));
    }
}
