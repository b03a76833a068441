package io.tributary.node.dumper;

import io.netty.channel.EventLoopGroup;
import io.tributary.common.config.Config;
import io.tributary.common.config.Secret;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapping;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.serve.schema.LogicalNames;
import io.tributary.serve.schema.SchemaProxy;
import io.tributary.serve.schema.SchemaProxyConfig;
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
    static Optional<SchemaProxy> proxy(Supplier<Config> live, EventLoopGroup loops, Clock clock) {
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
                loops,
                clock));
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
