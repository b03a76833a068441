package io.tributary.serve;

import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.statement.SqlExpression;
import java.util.List;
import java.util.Map;

/** A test session: number 7, of user repl. */
public record FixedSession(String schema, TableFilter reads) implements SqlExpression.SessionFacts {
    public FixedSession(String schema) {
        this(schema, TableFilter.ALL);
    }

    @Override
    public long threadId() {
        return 7;
    }

    @Override
    public String user() {
        return "repl@127.0.0.1";
    }

    @Override
    public String account() {
        return "repl@%";
    }

    @Override
    public List<String> grants() {
        return List.of("GRANT SELECT ON *.* TO `repl`@`%`");
    }

    @Override
    public Map<String, String> status() {
        return Map.of("Ssl_cipher", "TLS_AES_256_GCM_SHA384");
    }

    @Override
    public String version() {
        return "8.0.31-tributary";
    }

    @Override
    public String newUuid() {
        return FixedStatus.UUID;
    }
}
