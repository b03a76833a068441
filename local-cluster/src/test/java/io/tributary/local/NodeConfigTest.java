package io.tributary.local;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node's keys are written to a properties file, in order. */
class NodeConfigTest {
    @TempDir
    Path folder;

    @Test
    void writesItsKeysInOrder() throws Exception {
        NodeConfig config =
                new NodeConfig().set("b", "1").set("a", "2").set("c", "3").remove("c");
        Path file = config.write(folder.resolve("deep/node.properties"));
        assertEquals(List.of("b = 1", "a = 2"), Files.readAllLines(file));
    }

    @Test
    void aCopyChangesIndependently() {
        NodeConfig config = new NodeConfig().set("a", "1");
        NodeConfig copy = config.copy().set("a", "2");
        assertEquals("1", config.get("a"));
        assertEquals("2", copy.get("a"));
    }

    @Test
    void everyShardIsReachedWithoutTls() {
        NodeConfig config = new NodeConfig()
                .set("shard.s1.host", "a")
                .set("shard.s2.host", "b")
                .withoutTls();
        assertEquals("disabled", config.get("shard.s1.tls"));
        assertEquals("disabled", config.get("shard.s2.tls"));
    }
}
