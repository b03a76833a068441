package io.tributary.dumper.serve;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** SHOW in the shapes that clients send, old and new spellings (MySQL manual, "SHOW Statements"). */
final class ShowStatement {
    private final BinlogStatus status;
    private final SystemVariables variables;

    ShowStatement(BinlogStatus status, SystemVariables variables) {
        this.status = status;
        this.variables = variables;
    }

    /** Answers what follows the word SHOW. */
    Answer answer(SqlReader reader) {
        reader.acceptAny("GLOBAL", "SESSION", "LOCAL", "FULL");
        if (reader.accept("VARIABLES")) {
            return variables(reader);
        }
        if (reader.accept("STATUS")) {
            filter(reader);
            return Answer.Rows.of(List.of("Variable_name", "Value"), List.of());
        }
        if (reader.accept("MASTER", "STATUS") || reader.accept("BINARY", "LOG", "STATUS")) {
            return binlogStatus(reader);
        }
        if (reader.accept("BINARY", "LOGS") || reader.accept("MASTER", "LOGS")) {
            return files(reader);
        }
        if (reader.accept("SLAVE", "HOSTS")) {
            return readers(reader, "Master_id", "Slave_UUID");
        }
        if (reader.accept("REPLICAS")) {
            return readers(reader, "Source_Id", "Replica_UUID");
        }
        if (reader.accept("SLAVE", "STATUS") || reader.accept("REPLICA", "STATUS")) {
            return Answer.Rows.of(List.of("Replica_IO_State"), List.of());
        }
        if (reader.accept("PROCESSLIST")) {
            return sessions(reader);
        }
        if (reader.acceptAny("WARNINGS", "ERRORS")) {
            return Answer.Rows.of(List.of("Level", "Code", "Message"), List.of());
        }
        throw reader.refusal();
    }

    private Answer variables(SqlReader reader) {
        List<List<String>> rows = new ArrayList<>();
        variables.matching(filter(reader)).forEach((name, value) -> rows.add(List.of(name, value.text())));
        return Answer.Rows.of(List.of("Variable_name", "Value"), rows);
    }

    /** Nothing, LIKE 'pattern', or WHERE Variable_name = / LIKE / IN. */
    private static Predicate<String> filter(SqlReader reader) {
        Predicate<String> all = name -> true;
        if (reader.atEnd()) {
            return all;
        }
        if (reader.accept("LIKE")) {
            return like(reader);
        }
        reader.expect("WHERE");
        SqlToken column = reader.take();
        if (!column.text().equalsIgnoreCase("Variable_name")) {
            throw SqlRefusal.syntax(column.text());
        }
        if (reader.accept("LIKE")) {
            return like(reader);
        }
        Set<String> names = new LinkedHashSet<>();
        if (reader.accept("=")) {
            names.add(SystemVariables.key(reader.string()));
        } else {
            reader.expect("IN", "(");
            do {
                names.add(SystemVariables.key(reader.string()));
            } while (reader.accept(","));
            reader.expect(")");
        }
        reader.expectEnd();
        return names::contains;
    }

    private static Predicate<String> like(SqlReader reader) {
        Pattern pattern = SystemVariables.like(reader.string());
        reader.expectEnd();
        return name -> pattern.matcher(name).matches();
    }

    private Answer binlogStatus(SqlReader reader) {
        reader.expectEnd();
        List<BinlogStatus.FileStatus> files = status.files();
        List<String> columns = List.of("File", "Position", "Binlog_Do_DB", "Binlog_Ignore_DB", "Executed_Gtid_Set");
        if (files.isEmpty()) {
            return Answer.Rows.of(columns, List.of());
        }
        BinlogStatus.FileStatus newest = files.get(files.size() - 1);
        return Answer.Rows.of(
                columns,
                SqlValue.of(newest.name()),
                SqlValue.of(newest.size()),
                SqlValue.of(""),
                SqlValue.of(""),
                SqlValue.of(status.gtidExecuted()));
    }

    private Answer files(SqlReader reader) {
        reader.expectEnd();
        List<List<String>> rows = new ArrayList<>();
        for (BinlogStatus.FileStatus file : status.files()) {
            rows.add(List.of(file.name(), Long.toString(file.size()), "No"));
        }
        return new Answer.Rows(List.of("Log_name", "File_size", "Encrypted"), List.of(false, true, false), rows);
    }

    private Answer readers(SqlReader reader, String source, String uuid) {
        reader.expectEnd();
        List<List<String>> rows = new ArrayList<>();
        for (BinlogStatus.ReaderStatus replica : status.readers()) {
            rows.add(List.of(
                    Long.toString(replica.serverId()),
                    replica.host(),
                    Integer.toString(replica.port()),
                    Long.toString(status.serverId()),
                    replica.uuid()));
        }
        List<String> columns = List.of("Server_Id", "Host", "Port", source, uuid);
        return new Answer.Rows(columns, List.of(true, false, true, true, false), rows);
    }

    private Answer sessions(SqlReader reader) {
        reader.expectEnd();
        List<List<String>> rows = new ArrayList<>();
        for (BinlogStatus.SessionStatus session : status.sessions()) {
            List<String> row = new ArrayList<>();
            row.add(Long.toString(session.threadId()));
            row.add(session.user());
            row.add(session.host());
            row.add(null);
            row.add(session.command());
            row.add(Long.toString(session.seconds()));
            row.add(session.state());
            row.add(null);
            rows.add(row);
        }
        return new Answer.Rows(
                List.of("Id", "User", "Host", "db", "Command", "Time", "State", "Info"),
                List.of(true, false, false, false, false, true, false, false),
                rows);
    }
}
