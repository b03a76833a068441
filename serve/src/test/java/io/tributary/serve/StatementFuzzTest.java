package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.tributary.common.pipeline.Clock;
import io.tributary.serve.schema.SchemaSource;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.statement.NodeTables;
import io.tributary.serve.statement.StatementServices;
import io.tributary.serve.statement.Statements;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Damaged statements are answered, or refused with a number and a text. bin/fuzz lets Jazzer search for more cases. */
class StatementFuzzTest {
    private static final int ROUNDS = 30_000;

    private final Statements statements = new Statements(
            new FixedStatus(),
            new StatementServices(new FixedOrders(), NodeTables.NONE, SchemaSource.NONE),
            Clock.SYSTEM);

    @FuzzTest(maxDuration = "60s")
    void statements(byte[] bytes) {
        answerOrRefuse(new String(bytes, StandardCharsets.UTF_8));
    }

    private void answerOrRefuse(String sql) {
        try {
            NeededRights.of(sql);
            statements.answer(sql, new HashMap<>(), new FixedSession(null));
        } catch (SqlRefusal refusal) {
            assertTrue(refusal.packet().code() >= 1000, refusal.toString());
            assertFalse(refusal.getMessage().isEmpty());
        }
    }

    /** Words, quotes and brackets of recorded statements, combined at random. */
    @Test
    void shuffledStatementsAreAnsweredOrRefused() throws IOException, URISyntaxException {
        List<String> parts =
                new ArrayList<>(List.of("", "'", "\"", "`", "/*", "*/", "/*!", "(", ")", ",", ";", "@", "@@", "\\"));
        Path folder = Path.of(Objects.requireNonNull(getClass().getResource("StatementFuzzTestInputs/statements"))
                .toURI());
        List<String> whole = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                whole.add(Files.readString(file));
                parts.addAll(List.of(Files.readString(file).split("(?<=[ ,('])", -1)));
            }
        }
        long seed = 17;
        Random random = new Random(seed);
        for (int i = 0; i < ROUNDS; i++) {
            StringBuilder sql = new StringBuilder(whole.get(random.nextInt(whole.size())));
            for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
                int at = random.nextInt(sql.length() + 1);
                int end = Math.min(sql.length(), at + random.nextInt(10));
                sql.replace(at, end, parts.get(random.nextInt(parts.size())));
            }
            String text = sql.toString();
            try {
                answerOrRefuse(text);
            } catch (RuntimeException | Error e) {
                throw new AssertionError("seed " + seed + ", round " + i + ": " + text, e);
            }
        }
    }

    @Test
    void aStatementOfAnyDepthIsRefused() {
        answerOrRefuse("SELECT " + "(".repeat(200_000) + "1" + ")".repeat(200_000));
        answerOrRefuse("SELECT " + "-".repeat(200_000) + "1");
        answerOrRefuse("SELECT " + "GTID_SUBSET(".repeat(100_000));
        answerOrRefuse("/*!".repeat(200_000));
    }
}
