package io.tributary.serve.statement;

import io.tributary.mysql.event.EventHeader;
import io.tributary.serve.filter.TableFilter;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** SHOW statements for the binlog files, their events and their readers. */
final class ShowBinlog {
    private final BinlogStatus status;
    private final BinlogAdmin admin;

    ShowBinlog(BinlogStatus status, BinlogAdmin admin) {
        this.status = status;
        this.admin = admin;
    }

    /** Answers a SHOW statement; empty when it is none for the binlog. */
    Optional<Answer> answer(SqlReader reader, TableFilter reads) {
        if (reader.accept("MASTER", "STATUS") || reader.accept("BINARY", "LOG", "STATUS")) {
            reader.expectEnd();
            return Optional.of(newest());
        }
        if (reader.accept("BINARY", "LOGS") || reader.accept("MASTER", "LOGS")) {
            reader.expectEnd();
            return Optional.of(files());
        }
        if (reader.accept("BINLOG", "EVENTS")) {
            return Optional.of(new Answer.Later(admin.events(events(reader, reads))));
        }
        if (reader.accept("SLAVE", "HOSTS")) {
            reader.expectEnd();
            return Optional.of(readers("Master_id", "Slave_UUID"));
        }
        if (reader.accept("REPLICAS")) {
            reader.expectEnd();
            return Optional.of(readers("Source_Id", "Replica_UUID"));
        }
        return Optional.empty();
    }

    private Answer newest() {
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

    private Answer files() {
        List<List<String>> rows = new ArrayList<>();
        for (BinlogStatus.FileStatus file : status.files()) {
            rows.add(List.of(file.name(), Long.toString(file.size()), "No"));
        }
        return new Answer.Rows(List.of("Log_name", "File_size", "Encrypted"), List.of(false, true, false), rows);
    }

    private static BinlogAdmin.EventsWanted events(SqlReader reader, TableFilter reads) {
        String file = reader.accept("IN") ? reader.string() : "";
        long from = reader.accept("FROM") ? reader.number() : EventHeader.FILE_MAGIC_LENGTH;
        long skip = 0;
        OptionalLong count = OptionalLong.empty();
        if (reader.accept("LIMIT")) {
            long first = reader.number();
            if (reader.accept(",")) {
                skip = first;
                count = OptionalLong.of(reader.number());
            } else {
                count = OptionalLong.of(first);
                skip = reader.accept("OFFSET") ? reader.number() : 0;
            }
        }
        reader.expectEnd();
        return new BinlogAdmin.EventsWanted(file, Math.max(EventHeader.FILE_MAGIC_LENGTH, from), skip, count, reads);
    }

    private Answer readers(String source, String uuid) {
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
}
