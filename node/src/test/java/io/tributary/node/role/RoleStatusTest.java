package io.tributary.node.role;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.config.Config;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.node.admin.FactTables;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.process.ConfigSource;
import io.tributary.node.process.NodeEnvironment;
import io.tributary.node.process.Startup;
import io.tributary.node.process.StopSignal;
import io.tributary.node.status.NodeStatus;
import io.tributary.serve.statement.NodeTables;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The exact lines of the status of each role before it runs. */
@Timeout(60)
class RoleStatusTest {
    @TempDir
    private Path folder;

    private String status(Function<NodeEnvironment, Role> make, String... more) throws Exception {
        List<String> lines = new ArrayList<>(List.of(
                "binlog.directory = " + folder.resolve("binlog"),
                "store.directory = " + folder.resolve("store"),
                "transmit.listen = 127.0.0.1:7001",
                "serve.listen = 127.0.0.1:0",
                "serve.password = p"));
        for (String shard : List.of("s2", "s1")) {
            lines.add("shard." + shard + ".host = 127.0.0.1");
            lines.add("shard." + shard + ".port = 1");
            lines.add("shard." + shard + ".user = u");
            lines.add("shard." + shard + ".password = p");
        }
        lines.addAll(List.of(more));
        Config config = NodeKeys.read(Files.write(folder.resolve("node.properties"), lines), Map.of());
        try (Metrics metrics = new Metrics();
                Role role = make.apply(new NodeEnvironment(
                        new ConfigSource(config, () -> config),
                        "1.2",
                        metrics,
                        Clock.SYSTEM,
                        new Startup(new StopSignal())))) {
            NodeStatus status = role.status();
            NodeTables tables = new FactTables(role, metrics);
            return status.shards() + "\n" + lines(tables, NodeTables.Topic.STATUS)
                    + lines(tables, NodeTables.Topic.SHARDS);
        }
    }

    private static String lines(NodeTables tables, NodeTables.Topic topic) {
        return tables.table(topic).join().rows().stream()
                .map(row -> String.join(" | ", row) + "\n")
                .collect(Collectors.joining());
    }

    @Test
    void standalone() throws Exception {
        assertEquals("""
                [s2, s1]
                version | 1.2
                role | standalone
                state | starting
                healthy | false
                s2 | null | null | null | null | null | null
                s1 | null | null | null | null | null | null
                """, status(StandaloneRole::new));
    }

    @Test
    void task() throws Exception {
        assertEquals(
                """
                [s2, s1]
                version | 1.2
                role | task
                state | starting
                healthy | false
                offers | stream main of cluster tributary on 127.0.0.1:7001
                streams | none yet
                s2 | null | null | null | null | null | null
                s1 | null | null | null | null | null | null
                """, status(environment -> new TaskRole(environment, StreamWatch.NONE, List::of), "node.role = task"));
    }

    @Test
    void relay() throws Exception {
        assertEquals("""
                [s2, s1]
                version | 1.2
                role | relay
                state | starting
                healthy | false
                relays | stream main of cluster tributary on 127.0.0.1:7001
                streams | none yet
                s2 | null | null | null | null | null | null
                s1 | null | null | null | null | null | null
                """, status(environment -> new RelayRole(environment, Optional.empty()), "node.role = relay"));
    }

    @Test
    void dumper() throws Exception {
        assertEquals("""
                []
                version | 1.2
                role | dumper
                state | starting
                healthy | false
                task | 127.0.0.1:7002
                """, status(DumperRole::new, "node.role = dumper", "transmit.task = 127.0.0.1:7002"));
    }

    @Test
    void follower() throws Exception {
        String backup = "backup.directory = " + Files.createDirectory(folder.resolve("backup"));
        assertEquals(
                """
                []
                version | 1.2
                role | follower
                state | starting
                healthy | false
                leader | 127.0.0.1:7003
                epoch | 0
                copied | 0:0
                behind.bytes | 0
                serves | not yet
                """,
                status(
                        FollowerRole::new,
                        "node.role = dumper",
                        "dumper.leader = 127.0.0.1:7003",
                        "dumper.read = any",
                        backup));
    }

    @Test
    void apply() throws Exception {
        assertEquals(
                """
                []
                version | 1.2
                role | apply
                state | starting
                healthy | false
                apply.state | starting
                apply.node | 127.0.0.1:1
                apply.name | tributary
                apply.executed |\s
                apply.lag.transactions | not known
                apply.lag.seconds | not known
                apply.target | 127.0.0.1:3
                apply.backend | events
                apply.order | none
                apply.workers.active | 0 of 8
                apply.retries | 0
                apply.left.out | 0
                """,
                status(
                        ReaderRole::applier,
                        "node.role = apply",
                        "apply.nodes = 127.0.0.1:1, 127.0.0.1:2",
                        "apply.target = 127.0.0.1:3"));
    }

    @Test
    void aSink() throws Exception {
        assertEquals(
                """
                []
                version | 1.2
                role | sink
                state | starting
                healthy | false
                sink.state | starting
                sink.node | 127.0.0.1:1
                sink.name | tributary
                sink.executed |\s
                sink.lag.transactions | not known
                sink.lag.seconds | not known
                sink.brokers | 127.0.0.1:2, 127.0.0.1:3
                sink.protocol | debezium-json
                sink.delivery | exactly-once
                sink.progress.topic | tributary-progress
                sink.rows | 0
                sink.commits | 0
                sink.memory | 0 of 67108864 bytes
                """,
                status(
                        ReaderRole::sink,
                        "node.role = sink",
                        "sink.nodes = 127.0.0.1:1",
                        "sink.brokers = 127.0.0.1:2, 127.0.0.1:3",
                        "sink.protocol = debezium-json"));
    }

    @Test
    void aClusterInOneProcess() throws Exception {
        assertEquals("""
                [s2, s1]
                version | 1.2
                role | dumper,task
                state | starting
                healthy | false
                node | n1
                offers | stream main of cluster tributary on 127.0.0.1:7001
                streams | none yet
                state.in.cluster | is a candidate
                quorum | election needs 1 of 1 Dumpers, readers see transactions on 1
                s2 | null | null | null | null | null | null
                s1 | null | null | null | null | null | null
                """, status(ClusterRole::of, "node.roles = task,dumper", "node.id = n1"));
    }
}
