package io.tributary.node.command.client;

import io.tributary.backup.BackupConfig;
import io.tributary.backup.store.S3Config;
import io.tributary.binlog.PurgeConfig;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.replicate.ReplicateConfig;
import io.tributary.collector.CollectorConfig;
import io.tributary.common.config.Config;
import io.tributary.common.config.ConfigPage;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.order.OrderConfig;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.extractor.rounds.HeartbeatConfig;
import io.tributary.node.admin.AdminConfig;
import io.tributary.node.apply.ApplyConfig;
import io.tributary.node.cluster.CoordinationConfig;
import io.tributary.node.dumper.SchemaNamesConfig;
import io.tributary.node.log.LogConfig;
import io.tributary.node.process.ClusterConfig;
import io.tributary.node.process.PipelineConfig;
import io.tributary.node.replica.VerifyConfig;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.TakeoverConfig;
import io.tributary.node.sink.SinkConfig;
import io.tributary.node.task.OriginConfig;
import io.tributary.node.task.RelaysConfig;
import io.tributary.serve.ServeConfig;
import io.tributary.serve.dump.DumpConfig;
import io.tributary.serve.schema.SchemaProxyConfig;
import io.tributary.serve.select.SelectConfig;
import io.tributary.store.StoreConfig;
import io.tributary.transmitter.TransmitConfig;
import io.tributary.tso.TsoConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All configuration keys of a node: the records of all its parts. */
public final class NodeKeys {
    private NodeKeys() {}

    /** The records of keys, by the sections of docs/configuration.md. */
    private static Map<String, List<Class<? extends Record>>> sections() {
        Map<String, List<Class<? extends Record>>> sections = new LinkedHashMap<>();
        sections.put(
                "The node", List.of(NodeConfig.class, TakeoverConfig.class, OriginConfig.class, AdminConfig.class));
        sections.put("Logs", List.of(LogConfig.class));
        sections.put("The cluster", List.of(ClusterConfig.class, CoordinationConfig.class));
        sections.put("Shards and extraction", List.of(ExtractorConfig.class, HeartbeatConfig.class));
        sections.put("Ordering", List.of(OrderConfig.class, PipelineConfig.class, CollectorConfig.class));
        sections.put("The payload store", List.of(StoreConfig.class));
        sections.put("Between relay, Task and Dumper", List.of(TransmitConfig.class, RelaysConfig.class));
        sections.put("Binlog files", List.of(BinlogConfig.class, PurgeConfig.class));
        sections.put("Followers", List.of(ReplicateConfig.class));
        sections.put(
                "Readers", List.of(ServeConfig.class, DumpConfig.class, SchemaProxyConfig.class, SelectConfig.class));
        sections.put("Comparing replicas", List.of(VerifyConfig.class));
        sections.put("The applier", List.of(ApplyConfig.class));
        sections.put("The Kafka sink", List.of(SinkConfig.class));
        sections.put("Backup", List.of(BackupConfig.class, S3Config.class));
        sections.put("The TSO service", List.of(TsoConfig.class));
        return sections;
    }

    /** The records that a role needs; its file may also contain the keys of others. */
    private static List<Class<? extends Record>> of(NodeConfig node) {
        List<Class<? extends Record>> records = new ArrayList<>(List.of(
                NodeConfig.class,
                TakeoverConfig.class,
                ClusterConfig.class,
                CoordinationConfig.class,
                OriginConfig.class,
                AdminConfig.class,
                LogConfig.class,
                PipelineConfig.class,
                TransmitConfig.class,
                TsoConfig.class));
        if (node.readsShards()) {
            records.addAll(List.of(
                    ExtractorConfig.class,
                    RelaysConfig.class,
                    HeartbeatConfig.class,
                    OrderConfig.class,
                    CollectorConfig.class,
                    StoreConfig.class));
        }
        if (node.keepsFiles()) {
            records.addAll(List.of(
                    BinlogConfig.class,
                    PurgeConfig.class,
                    ReplicateConfig.class,
                    ServeConfig.class,
                    DumpConfig.class,
                    SchemaProxyConfig.class,
                    SelectConfig.class,
                    SchemaNamesConfig.class,
                    VerifyConfig.class,
                    BackupConfig.class,
                    S3Config.class));
        }
        if (node.applies()) {
            records.add(ApplyConfig.class);
        }
        if (node.sinks()) {
            records.addAll(List.of(SinkConfig.class, S3Config.class));
        }
        return records;
    }

    private static ConfigReader reader() {
        return new ConfigReader(
                sections().values().stream().flatMap(List::stream).toList());
    }

    /**
     * Reads a node's configuration: the records that its role needs.
     *
     * @param overrides keys and values that have priority over those of the file
     */
    public static Config read(Path file, Map<String, String> overrides) {
        return reader().read(file, overrides, NodeConfig.class, NodeKeys::of);
    }

    /** Reads only some records, independent of the role. */
    public static Config read(Path file, List<Class<? extends Record>> wanted) {
        return reader().read(file, Map.of(), NodeConfig.class, any -> wanted);
    }

    /** See {@link ConfigReader#clearSecrets(Path)}. */
    static List<String> clearSecrets(Path file) {
        return reader().clearSecrets(file);
    }

    /** The text of docs/configuration.md. */
    public static String page() {
        return ConfigPage.markdown(sections());
    }
}
