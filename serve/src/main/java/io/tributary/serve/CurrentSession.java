package io.tributary.serve;

import io.tributary.mysql.protocol.auth.Right;
import io.tributary.mysql.protocol.compress.Compression;
import io.tributary.mysql.protocol.server.Session;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.select.Selects;
import io.tributary.serve.statement.SqlExpression;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.net.ssl.SSLSession;

/** The session that sends a statement, as expressions see it. */
record CurrentSession(Session session, String version, TableFilter reads, Selects selects)
        implements SqlExpression.SessionFacts {
    @Override
    public long threadId() {
        return session.threadId();
    }

    @Override
    public String schema() {
        return session.database().isEmpty() ? null : session.database();
    }

    @Override
    public String user() {
        return session.user() + "@" + session.host();
    }

    @Override
    public String account() {
        return session.user() + "@%";
    }

    /** The grants with which a MySQL user could read what this account can read. */
    @Override
    public List<String> grants() {
        String to = " TO `" + session.user().replace("`", "``") + "`@`%`";
        List<String> global = new ArrayList<>();
        boolean isReader = has(Right.REPLICATION);
        if (reads.isAll()) {
            global.addAll(List.of("SELECT", "SHOW DATABASES"));
        }
        if (has(Right.ADMIN)) {
            global.add("RELOAD");
        }
        if (has(Right.MONITOR) || has(Right.ADMIN)) {
            global.add("PROCESS");
        }
        if (isReader) {
            global.addAll(List.of("LOCK TABLES", "REPLICATION SLAVE"));
        }
        if (isReader || has(Right.MONITOR) || has(Right.ADMIN)) {
            global.add("REPLICATION CLIENT");
        }
        List<String> grants = new ArrayList<>();
        grants.add("GRANT " + (global.isEmpty() ? "USAGE" : String.join(", ", global)) + " ON *.*" + to);
        reads.included().forEach(rule -> grants.add("GRANT SELECT ON " + name(rule) + to));
        reads.excluded().forEach(rule -> grants.add("REVOKE SELECT ON " + name(rule) + to.replace(" TO ", " FROM ")));
        return grants;
    }

    private boolean has(Right right) {
        return session.account().grant().hasOneOf(Set.of(right));
    }

    private static String name(TableFilter.Rule rule) {
        String table = rule.isOfSchema() ? "*" : "`" + rule.table().replace("`", "``") + "`";
        return "`" + rule.schema().replace("`", "``") + "`." + table;
    }

    @Override
    public Map<String, String> status() {
        Map<String, String> status = new LinkedHashMap<>();
        Optional<SSLSession> tls = session.tls();
        status.put("Ssl_cipher", tls.map(SSLSession::getCipherSuite).orElse(""));
        status.put("Ssl_version", tls.map(SSLSession::getProtocol).orElse(""));
        Optional<Compression> compression = session.compression();
        status.put("Compression", compression.isPresent() ? "ON" : "OFF");
        status.put("Compression_algorithm", compression.map(Compression::text).orElse(""));
        return status;
    }

    @Override
    public String newUuid() {
        return UUID.randomUUID().toString();
    }

    @Override
    public void idle(Optional<Duration> longest) {
        session.idle(longest);
    }

    @Override
    public void longest(Optional<Duration> ofStatement) {
        selects.longest(session, ofStatement);
    }

    @Override
    public void timeZone(String zone) {
        selects.timeZone(session, zone);
    }
}
