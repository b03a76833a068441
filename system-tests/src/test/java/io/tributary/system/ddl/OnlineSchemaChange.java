package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.value.TableName;
import io.tributary.testkit.server.ChildProcess;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlUser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A real online schema change tool.
 *
 * @param command the command line, with %1$d for the port, %2$s and %3$s for the user and the password, %4$s and %5$s for the schema and the table,
 *     and %6$s for the items of the ALTER
 */
record OnlineSchemaChange(String name, List<String> command, Map<String, String> environment) {
    /** A user with all rights on a shard, with an authentication method that old clients support. */
    private static final MysqlUser USER = new MysqlUser("tool", "tool-secret", MysqlUser.NATIVE);

    private static final Duration LIMIT = Duration.ofMinutes(2);

    static void createUser(MysqlServer shard) throws SQLException {
        USER.create(shard, "ALL ON *.*");
    }

    /** Changes a table of a shard; fails with the output of the tool if the tool fails. */
    void run(MysqlServer shard, TableName table, String items) throws Exception {
        try (Running running = start(shard, table, items)) {
            running.await();
        }
    }

    /** Begins to change a table of a shard. */
    Running start(MysqlServer shard, TableName table, String items) throws IOException {
        Path log = Files.createTempFile(name, ".log");
        ProcessBuilder builder = new ProcessBuilder(words(shard, table, items))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new Running(ChildProcess.start(builder), log);
    }

    /**
     * A running tool; close ends it.
     *
     * @param log the file with its output
     */
    record Running(ChildProcess child, Path log) implements AutoCloseable {
        /** Waits for its end; fails with its output if it fails. */
        void await() throws Exception {
            boolean hasEnded = child.awaitExit(LIMIT);
            String printed = Files.readString(log);
            assertTrue(hasEnded, () -> "the tool did not end: " + printed);
            assertEquals(0, child.exitValue(), () -> "the tool: " + printed);
        }

        @Override
        public void close() throws IOException {
            child.close();
            Files.deleteIfExists(log);
        }
    }

    private List<String> words(MysqlServer shard, TableName table, String items) {
        return command.stream()
                .map(word -> String.format(
                        Locale.ROOT,
                        word,
                        shard.port(),
                        USER.name(),
                        USER.password(),
                        table.schema(),
                        table.table(),
                        items))
                .toList();
    }

    @Override
    public String toString() {
        return name;
    }
}
