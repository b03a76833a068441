package io.tributary.node.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A real MySQL server accepts the statements about accounts that the pages show. */
class DocsGrantsTest {
    private static final Pattern STATEMENT =
            Pattern.compile("(?m)^(?: *|.*mysql> )((?:CREATE USER|GRANT|REVOKE) [^;\\n]*);");
    private static final String MARIADB = "BINLOG MONITOR";

    @Test
    void statementsAboutAccountsAreAccepted() throws SQLException {
        List<String> refused = new ArrayList<>();
        int accepted = 0;
        try (MysqlServer server = MysqlServer.start("docs");
                Sql sql = server.sql()) {
            sql.execute("CREATE DATABASE tributary", "CREATE DATABASE shop");
            for (Path page : ProjectText.files(".md")) {
                for (String statement : statements(page)) {
                    try {
                        sql.execute(statement);
                        accepted++;
                    } catch (SQLException e) {
                        refused.add(page + ": " + statement + ": " + e.getMessage());
                    }
                }
            }
        }
        assertEquals("", String.join("\n", refused));
        assertEquals(true, accepted > 10, "accepted " + accepted);
    }

    private static List<String> statements(Path page) {
        return STATEMENT
                .matcher(ProjectText.text(page))
                .results()
                .map(found -> found.group(1).replace("CREATE USER ", "CREATE USER IF NOT EXISTS "))
                .filter(statement -> !statement.contains(MARIADB))
                .toList();
    }
}
