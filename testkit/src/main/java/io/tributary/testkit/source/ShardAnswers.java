package io.tributary.testkit.source;

import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.server.ResultSet;
import io.tributary.mysql.protocol.server.Session;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The answers of a healthy MySQL 8.0 shard to the statements of Tributary and mysqlbinlog. */
public final class ShardAnswers {
    private static final Pattern QUOTED = Pattern.compile("'(\\w+)'");

    private final ServedLog log;
    private final Map<String, String> variables = new LinkedHashMap<>();

    public ShardAnswers(ServedLog log) {
        this.log = log;
        variables.put("server_uuid", log.uuid().toString());
        variables.put("server_id", Long.toString(log.serverId()));
        variables.put("version", log.serverVersion());
        variables.put("log_bin", "ON");
        variables.put("binlog_format", "ROW");
        variables.put("binlog_row_image", "FULL");
        variables.put("binlog_row_metadata", "FULL");
        variables.put("binlog_checksum", "CRC32");
        variables.put("binlog_expire_logs_seconds", "2592000");
        variables.put("gtid_mode", "ON");
        variables.put("enforce_gtid_consistency", "ON");
        variables.put("read_only", "OFF");
        variables.put("super_read_only", "OFF");
    }

    /** Answers a statement; error 1064 for an unknown one. */
    public void answer(Session session, String sql) {
        String lower = sql.toLowerCase(Locale.ROOT);
        if (lower.startsWith("show global variables")) {
            variables(session, lower);
        } else if (lower.startsWith("select @@global.gtid_executed")) {
            session.resultSet(ResultSet.of("@@GLOBAL.gtid_executed", "@@GLOBAL.gtid_purged")
                    .row(log.newestNumber() == 0 ? "" : log.uuid() + ":1-" + log.newestNumber(), ""));
        } else if (lower.startsWith("select @@")) {
            String name = lower.substring(9).replace("global.", "");
            session.resultSet(ResultSet.of(sql.substring(7)).row(variables.get(name)));
        } else if (lower.startsWith("select epoch, round, clock from tributary.heartbeat")) {
            RoundTransaction.Row row = log.row();
            session.resultSet(ResultSet.of("epoch", "round", "clock")
                    .row(Long.toString(row.epoch()), Long.toString(row.round()), Long.toString(row.clock())));
        } else if (lower.startsWith("select cast(unix_timestamp(")) {
            session.resultSet(ResultSet.of("now").row(Long.toString(Clock.SYSTEM.epochMicros())));
        } else {
            answerChecks(session, lower);
        }
    }

    private void answerChecks(Session session, String lower) {
        switch (lower) {
            case "select version()" ->
                session.resultSet(ResultSet.of("VERSION()").row(variables.get("version")));
            case "select current_user()" ->
                session.resultSet(ResultSet.of("CURRENT_USER()").row(session.user() + "@%"));
            case "show grants" ->
                session.resultSet(
                        ResultSet.of("Grants").row("GRANT ALL PRIVILEGES ON *.* TO `" + session.user() + "`@`%`"));
            case "show binary logs" ->
                session.resultSet(ResultSet.of("Log_name", "File_size", "Encrypted")
                        .row(log.fileName(), Integer.toString(log.fileEnd()), "No"));
            case "explain update tributary.heartbeat set epoch = epoch where id = 0" ->
                session.resultSet(ResultSet.of("id", "select_type", "table"));
            case "show binlog events limit 1" ->
                session.resultSet(ResultSet.of("Log_name", "Pos", "Event_type", "Server_id", "End_log_pos", "Info"));
            default -> answerNames(session, lower);
        }
    }

    private static void answerNames(Session session, String lower) {
        if (lower.startsWith("select table_schema, table_name from information_schema.tables")) {
            session.resultSet(ResultSet.of("TABLE_SCHEMA", "TABLE_NAME"));
        } else if (lower.startsWith("select table_schema, table_name, engine from information_schema.tables")) {
            session.resultSet(ResultSet.of("TABLE_SCHEMA", "TABLE_NAME", "ENGINE"));
        } else if (lower.startsWith("select schema_name from information_schema.schemata")) {
            session.resultSet(ResultSet.of("SCHEMA_NAME"));
        } else if (lower.startsWith("select schema_name, default_character_set_name")) {
            session.resultSet(ResultSet.of("SCHEMA_NAME", "DEFAULT_CHARACTER_SET_NAME", "DEFAULT_COLLATION_NAME"));
        } else if (lower.startsWith("select author, place, since, round_interval from tributary.writer")) {
            session.resultSet(ResultSet.of("author", "place", "since", "round_interval"));
        } else if (lower.startsWith("insert into tributary.writer set ")) {
            session.ok(1, 0); // the output would not contain its transaction
        } else {
            session.err(MysqlError.ER_PARSE_ERROR, "unknown statement for the loopback source: " + lower);
        }
    }

    /** The variables in the statement. */
    private void variables(Session session, String lower) {
        ResultSet result = ResultSet.of("Variable_name", "Value");
        Matcher names = QUOTED.matcher(lower);
        while (names.find()) {
            String value = variables.get(names.group(1));
            if (value != null) {
                result.row(names.group(1), value);
            }
        }
        session.resultSet(result);
    }
}
