package io.tributary.extractor;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.common.io.DirectMemory;
import io.tributary.extractor.ddl.HiddenTables;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration keys of extraction, for all shards.
 *
 * @param serverId the server id of the global binlog; the shards see this node under the same id
 * @param payloadLimit largest size of an uncompressed transaction
 * @param queue received bytes per shard that wait to be read; empty: see {@link #queueBytes}
 * @param heartbeat interval of heartbeats of an idle shard; after three intervals without data the connection is closed
 * @param reconnectMin first pause before a lost connection is opened again; doubles each time
 * @param reconnectMax longest such pause
 * @param filterSchemas physical schemas that are left out
 * @param ddlHidden tables of online schema change tools that are left out
 * @param shards by name
 * @param tableMap rules by name
 */
public record ExtractorConfig(
        @Key(
                value = "server.id",
                byDefault = "1000",
                min = "1",
                max = "4294967295",
                about = "Server id of the global binlog; different from the server id of every shard,"
                        + " replica and other Tributary.")
        long serverId,

        @Key(
                value = "extract.payload.limit",
                byDefault = "1GiB",
                min = "1MiB",
                about = "Maximum size of a compressed transaction of a shard after decompression.")
        ByteSize payloadLimit,

        @Key(
                value = "extract.queue",
                min = "64KiB",
                max = "1GiB",
                about = "Bytes received from a shard that may wait to be read; not set: the shard's"
                        + " share of an eighth of the JVM's direct memory, at most 8MiB.")
        Optional<ByteSize> queue,

        @Key(
                value = "extract.heartbeat",
                byDefault = "10s",
                min = "100ms",
                about = "How often an idle shard sends a heartbeat event; after three periods without"
                        + " any event the connection is opened again.")
        Duration heartbeat,

        @Key(
                value = "extract.reconnect.min",
                byDefault = "100ms",
                min = "1ms",
                about = "First pause before a lost connection to a shard is opened again; the pause"
                        + " doubles after each failure.")
        Duration reconnectMin,

        @Key(
                value = "extract.reconnect.max",
                byDefault = "10s",
                min = "1ms",
                about = "Longest pause before a lost connection to a shard is opened again.")
        Duration reconnectMax,

        @Key(
                value = "filter.schemas",
                byDefault = "mysql,sys,performance_schema,information_schema",
                about = "Schemas of the shards that are left out; the schema tributary is always left out.")
        List<String> filterSchemas,

        @Key(
                value = "filter.accounts",
                byDefault = "drop",
                about = "What to do with account statements (CREATE USER, GRANT, ...): drop or pass.")
        AccountFilter filterAccounts,

        @Key(
                value = "ddl.hidden",
                byDefault = "gh-ost,pt-osc,vitess,spirit",
                about = "Tables of online schema change tools that are left out: gh-ost, pt-osc, vitess,"
                        + " spirit, or regular expressions that must match the whole physical table name;"
                        + " empty: none.")
        List<String> ddlHidden,

        @Key(value = "shard", required = true, about = "The shards.")
        Map<String, ShardConfig> shards,

        @Key(value = "table.map", about = "Rules from physical to logical table names.")
        Map<String, TableMapRule> tableMap) {
    private static final List<String> SYSTEM_SCHEMAS =
            List.of("mysql", "sys", "performance_schema", "information_schema");

    private static final int LEAST_QUEUE = 64 << 10;
    private static final int MOST_QUEUE = 8 << 20;
    /** The part of the JVM's direct memory for received bytes that are not read yet: one of so many. */
    private static final int SHARE = 8;

    /** Received bytes of one shard that may wait to be read. Many shards together get as much as a few. */
    public int queueBytes() {
        long share = DirectMemory.limit() / SHARE / Math.max(1, shards.size());
        return queue.map(size -> (int) size.bytes()).orElse((int) Math.max(LEAST_QUEUE, Math.min(MOST_QUEUE, share)));
    }

    /** A configuration of these shards with default values; for tests and embedding. */
    public static ExtractorConfig of(long serverId, Map<String, ShardConfig> shards) {
        return new ExtractorConfig(
                serverId,
                new ByteSize(1L << 30),
                Optional.empty(),
                Duration.ofSeconds(10),
                Duration.ofMillis(100),
                Duration.ofSeconds(10),
                SYSTEM_SCHEMAS,
                AccountFilter.DROP,
                HiddenTables.TOOLS,
                shards,
                Map.of());
    }

    /** A copy with other shards. */
    public ExtractorConfig withShards(Map<String, ShardConfig> others) {
        return new ExtractorConfig(
                serverId,
                payloadLimit,
                queue,
                heartbeat,
                reconnectMin,
                reconnectMax,
                filterSchemas,
                filterAccounts,
                ddlHidden,
                others,
                tableMap);
    }

    /** A copy with other rules. */
    public ExtractorConfig withTableMap(Map<String, TableMapRule> rules) {
        return new ExtractorConfig(
                serverId,
                payloadLimit,
                queue,
                heartbeat,
                reconnectMin,
                reconnectMax,
                filterSchemas,
                filterAccounts,
                ddlHidden,
                shards,
                rules);
    }
}
