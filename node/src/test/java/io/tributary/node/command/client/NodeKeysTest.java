package io.tributary.node.command.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.collector.CollectorConfig;
import io.tributary.common.config.Config;
import io.tributary.common.error.TributaryException;
import io.tributary.extractor.ExtractorConfig;
import io.tributary.node.apply.ApplyConfig;
import io.tributary.node.role.AckCheck;
import io.tributary.node.role.GrpcListenCheck;
import io.tributary.node.role.NodeConfig;
import io.tributary.node.role.RoleName;
import io.tributary.node.sink.SinkConfig;
import io.tributary.node.task.OriginConfig;
import io.tributary.node.task.RelaysConfig;
import io.tributary.serve.ServeConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeKeysTest {
    @TempDir
    private Path folder;

    private Config read(Map<String, String> overrides, String... lines) throws IOException {
        return NodeKeys.read(Files.write(folder.resolve("node.properties"), List.of(lines)), overrides);
    }

    @Test
    void theExampleIsValid() throws IOException {
        List<String> lines = Files.readAllLines(Path.of("..", "conf", "tributary.properties")).stream()
                .map(line -> line.replaceAll("^# (backup|shard|table)\\.", "$1."))
                .map(line -> line.replaceAll("\\$\\{(env|file):[^}]*}", "a password"))
                .toList();
        Config config = read(Map.of(), lines.toArray(String[]::new));
        assertEquals(
                List.of("s1", "s2"),
                List.copyOf(config.get(ExtractorConfig.class).shards().keySet()));
        assertEquals(1, config.get(ExtractorConfig.class).tableMap().size());
    }

    @Test
    void allPartsShareTheServerId() throws IOException {
        String[] lines = {"server.id = 77", "serve.password = p", "shard.a.host = h", "shard.a.user = u"};
        Config config = read(Map.of(), lines);
        assertEquals(77, config.get(ExtractorConfig.class).serverId());
        assertEquals(77, config.get(BinlogConfig.class).serverId());
        assertEquals(77, config.get(OriginConfig.class).serverId());
    }

    @Test
    void aDumperNeedsNoShardsAndATaskNoPassword() throws IOException {
        Config dumper = read(Map.of("node.role", "dumper"), "serve.password = p");
        assertEquals(RoleName.DUMPER, dumper.get(NodeConfig.class).role());
        assertThrows(IllegalArgumentException.class, () -> dumper.get(CollectorConfig.class));
        Config task = read(Map.of("node.role", "task"), "shard.a.host = h", "shard.a.user = u");
        assertThrows(IllegalArgumentException.class, () -> task.get(ServeConfig.class));
        assertEquals(Optional.empty(), AckCheck.problem(task), "it keeps no files");
    }

    @Test
    void aRelayNeedsItsShardsAndNoPasswordAndATaskNamesItsRelays() throws IOException {
        Config relay = read(Map.of("node.role", "relay"), "shard.a.host = h", "shard.a.user = u");
        assertEquals(RoleName.RELAY, relay.get(NodeConfig.class).role());
        assertThrows(IllegalArgumentException.class, () -> relay.get(ServeConfig.class));
        assertEquals(Optional.empty(), AckCheck.problem(relay), "it keeps no files");
        Config task = read(
                Map.of("node.role", "task"),
                "shard.a.host = h",
                "shard.a.user = u",
                "relay.r.address = there:3321",
                "relay.r.shards = a, b");
        assertEquals(
                List.of("a", "b"),
                task.get(RelaysConfig.class).relays().get("r").shards());
    }

    @Test
    void anApplierNeedsItsNodesAndItsTargetOnly() throws IOException {
        Config apply = read(Map.of("node.role", "apply"), "apply.nodes = a:3307, b:3307", "apply.target = t:3306");
        NodeConfig node = apply.get(NodeConfig.class);
        assertTrue(node.applies());
        assertFalse(node.readsShards() || node.keepsFiles() || node.writesRounds());
        assertEquals(2, apply.get(ApplyConfig.class).from().addresses().size());
        assertThrows(IllegalArgumentException.class, () -> apply.get(ServeConfig.class));
        assertThrows(IllegalArgumentException.class, () -> apply.get(ExtractorConfig.class));
        assertEquals(List.of(), GrpcListenCheck.problems(apply), "it accepts no streams");
        TributaryException thrown =
                assertThrows(TributaryException.class, () -> read(Map.of("node.role", "apply"), "apply.workers = 65"));
        for (String key : List.of("apply.nodes", "apply.target", "apply.workers")) {
            assertTrue(thrown.getMessage().contains(key + ": expected"), thrown.getMessage());
        }
    }

    @Test
    void aSinkNeedsItsNodesAndItsBrokersOnly() throws IOException {
        Config sink = read(Map.of("node.role", "sink"), "sink.nodes = a:3307, b:3307", "sink.brokers = k:9092");
        NodeConfig node = sink.get(NodeConfig.class);
        assertTrue(node.sinks());
        assertFalse(node.readsShards() || node.keepsFiles() || node.writesRounds() || node.applies());
        assertEquals(2, sink.get(SinkConfig.class).nodes().addresses().size());
        assertThrows(IllegalArgumentException.class, () -> sink.get(ServeConfig.class));
        assertThrows(IllegalArgumentException.class, () -> sink.get(ExtractorConfig.class));
        assertEquals(List.of(), GrpcListenCheck.problems(sink), "it accepts no streams");
        TributaryException thrown =
                assertThrows(TributaryException.class, () -> read(Map.of("node.role", "sink"), "sink.workers = 65"));
        for (String key : List.of("sink.nodes", "sink.brokers", "sink.workers")) {
            assertTrue(thrown.getMessage().contains(key + ": expected"), thrown.getMessage());
        }
    }

    @Test
    void aMemberOfAClusterIsNoApplier() throws IOException {
        Config member =
                read(Map.of("node.role", "apply", "node.roles", "task"), "shard.a.host = h", "shard.a.user = u");
        assertFalse(member.get(NodeConfig.class).applies(), "node.role is ignored");
        assertTrue(member.get(NodeConfig.class).readsShards());
    }

    @Test
    void reportsEveryMissingKey() {
        TributaryException thrown = assertThrows(TributaryException.class, () -> read(Map.of(), "shard.a.port = x"));
        for (String key : List.of("shard.a.host", "shard.a.port", "shard.a.user")) {
            assertTrue(thrown.getMessage().contains(key + ": expected"), thrown.getMessage());
        }
    }

    @Test
    void refusesAVersionThatClientsCannotParse() {
        TributaryException thrown = assertThrows(
                TributaryException.class,
                () -> read(
                        Map.of("node.role", "task"), "serve.version = eight", "shard.a.host = h", "shard.a.user = u"));
        assertTrue(thrown.getMessage().contains("serve.version: expected a version such as"), thrown.getMessage());
    }
}
