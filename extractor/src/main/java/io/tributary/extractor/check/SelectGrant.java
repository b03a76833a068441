package io.tributary.extractor.check;

import io.tributary.extractor.SchemaFilter;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The check whether an account sees every table: information_schema silently omits tables on which the account has no right (MySQL manual,
 * "INFORMATION_SCHEMA Tables"). It uses SHOW GRANTS, with the active roles.
 */
final class SelectGrant {
    private static final Pattern GLOBAL = Pattern.compile("GRANT (.+?) ON \\*\\.\\* TO .*", Pattern.DOTALL);
    /** With {@code partial_revokes} of MySQL 8.0. */
    private static final Pattern REVOKED = Pattern.compile("REVOKE (.+?) ON `(.+)`\\.\\* FROM .*", Pattern.DOTALL);

    private final MysqlConnection connection;
    private final SchemaFilter filter;

    /** @param filter the schemas that the account need not see */
    SelectGrant(MysqlConnection connection, SchemaFilter filter) {
        this.connection = connection;
        this.filter = filter;
    }

    /** The statement that an administrator has to run; empty if the account sees all tables. Completes on the connection's event loop. */
    CompletableFuture<Optional<String>> missing() {
        return roles().thenCompose(roles -> connection.query(
                        roles.isEmpty() ? "SHOW GRANTS" : "SHOW GRANTS FOR CURRENT_USER() USING " + roles))
                .thenCompose(grants -> seesAll(grants)
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : connection
                                .query("SELECT CURRENT_USER()")
                                .thenApply(user -> Optional.of("GRANT SELECT ON *.* TO "
                                        + ShardRights.account(user.rows().get(0).text(0)))));
    }

    /** The active roles of MySQL in the form of USING; MariaDB shows the rights of a role without it, and MySQL 5.7 has no roles. */
    private CompletableFuture<String> roles() {
        return connection.isMariadb()
                ? CompletableFuture.completedFuture("")
                : connection.query("SELECT CURRENT_ROLE()").handle((answer, failure) -> {
                    String roles = failure == null ? answer.rows().get(0).text(0) : "NONE";
                    return roles.equals("NONE") ? "" : roles;
                });
    }

    private boolean seesAll(QueryResult grants) {
        List<String> lines = grants.rows().stream().map(row -> row.text(0)).toList();
        return lines.stream().anyMatch(SelectGrant::grantsAll) && lines.stream().noneMatch(this::revokesSelect);
    }

    private static boolean grantsAll(String line) {
        Matcher global = GLOBAL.matcher(line);
        return global.matches() && hasSelect(global.group(1));
    }

    private boolean revokesSelect(String line) {
        Matcher revoked = REVOKED.matcher(line);
        return revoked.matches() && hasSelect(revoked.group(1)) && !filter.leavesOut(revoked.group(2));
    }

    private static boolean hasSelect(String rights) {
        return Arrays.stream(rights.split(","))
                .map(right -> right.strip().toUpperCase(Locale.ROOT))
                .anyMatch(right -> right.equals("SELECT") || right.equals("ALL PRIVILEGES") || right.equals("ALL"));
    }
}
