package io.tributary.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.serve.schema.SchemaSource;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.statement.Answer;
import io.tributary.serve.statement.NodeTables;
import io.tributary.serve.statement.StatementServices;
import io.tributary.serve.statement.Statements;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement of client-statements.txt gets the answer in its line, also in lower case and with a semicolon. */
class ClientStatementsTest {
    private final Map<String, String> userVariables =
            new HashMap<>(Map.of("source_binlog_checksum", "CRC32", "master_binlog_checksum", "CRC32"));
    private String asked = "";

    /** Records that it was called. */
    private final class Asked extends FixedOrders {
        @Override
        CompletableFuture<Answer> order() {
            asked = "order";
            return super.order();
        }
    }

    private Answer answer(String sql) {
        asked = "";
        NodeTables node = topic -> {
            asked = "order";
            return CompletableFuture.completedFuture(new NodeTables.Table(List.of("a"), List.of()));
        };
        SchemaSource schema = question -> {
            asked = "schema";
            return CompletableFuture.completedFuture(ResultSet.of("a"));
        };
        StatementServices neighbours = new StatementServices(new Asked(), node, schema);
        return new Statements(new FixedStatus(), neighbours, Clock.SYSTEM)
                .answer(sql, userVariables, new FixedSession("shop"));
    }

    static Stream<String> lines() {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(
                ClientStatementsTest.class.getResourceAsStream("client-statements.txt"), StandardCharsets.UTF_8))) {
            return reader.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("lines")
    void isAnsweredAsInTheLine(String line) {
        int arrow = line.lastIndexOf(" => ");
        String sql = line.substring(0, arrow);
        String[] expected = line.substring(arrow + 4).split(" ", 4);
        check(sql, expected);
        if (!sql.contains("'abc")) {
            check("/* a comment */ " + sql + " ;", expected);
        }
        if (!sql.contains("'") && !sql.contains("`")) {
            check(sql.toLowerCase(Locale.ROOT), lower(sql, expected));
        }
    }

    /** The expected answer in lower case: columns of SELECT have the names in the statement. */
    private static String[] lower(String sql, String[] expected) {
        boolean isWritten = sql.toLowerCase(Locale.ROOT).startsWith("select") && expected.length > 2;
        return isWritten ? new String[] {expected[0], expected[1]} : expected;
    }

    private void check(String sql, String[] expected) {
        switch (expected[0]) {
            case "OK" -> assertEquals(Answer.OK, answer(sql), sql);
            case "error" ->
                assertEquals(
                        Integer.parseInt(expected[1]),
                        assertThrows(SqlRefusal.class, () -> answer(sql), sql)
                                .packet()
                                .code(),
                        sql);
            case "kill" ->
                assertEquals(
                        Long.parseLong(expected[1]),
                        assertInstanceOf(Answer.Kill.class, answer(sql), sql).threadId());
            case "use" -> assertEquals(new Answer.Use(expected[1]), answer(sql));
            case "table" ->
                assertEquals(
                        expected[1],
                        assertInstanceOf(Answer.OfTable.class, answer(sql), sql)
                                .select()
                                .table()
                                .toString());
            case "one" -> {
                Answer.Rows rows = assertInstanceOf(Answer.Rows.class, answer(sql), sql);
                assertEquals(List.of(List.of(expected[1])), rows.rows(), sql);
            }
            case "rows" -> rows(sql, expected);
            default -> {
                assertInstanceOf(Answer.Later.class, answer(sql), sql);
                assertEquals(expected[0], asked, sql);
            }
        }
    }

    private void rows(String sql, String[] expected) {
        Answer.Rows rows = assertInstanceOf(Answer.Rows.class, answer(sql), sql);
        assertEquals(Integer.parseInt(expected[1]), rows.rows().size(), sql);
        if (expected.length > 2) {
            assertEquals(expected[2], rows.columns().get(0), sql);
        }
        if (expected.length > 3) {
            assertEquals(expected[3], rows.rows().get(0).get(0), sql);
        }
    }
}
