package io.tributary.seed.change;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.BinlogDump;
import io.tributary.mysql.protocol.client.BinlogStream;
import io.tributary.mysql.protocol.client.DumpPosition;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.NodeDump;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.Column;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.verify.Finding;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/**
 * Searches the binlog that a node serves for the transactions that changed rows last. It reads whole files, the newest one first. For one thread.
 */
public final class ChangeSearch {
    private static final String FILES = "SHOW BINARY LOGS";
    private static final int POLL_BYTES = 256 << 10;
    private static final int QUEUE_BYTES = 1 << 20;
    private static final int MOST_EVENT = 64 << 20;
    private static final long PAUSE_NANOS = 200_000;
    /** Server ids of such readers begin here; the node's number of the connection is added. */
    private static final long FIRST_SERVER_ID = 0x7e00_0000L;

    private final MysqlClient client;
    private final Peer node;
    private final SearchLimits limits;
    private final Clock clock;

    /** @param node its MySQL port, with an account that may read all tables */
    public ChangeSearch(MysqlClient client, Peer node, SearchLimits limits, Clock clock) {
        this.client = client;
        this.node = node;
        this.limits = limits;
        this.clock = clock;
    }

    /** A file of the binlog. */
    private record LogFile(String name, long size) {}

    /**
     * Searches for the last changes of all rows together; a failure ends the search, and is its {@link SearchResult#end}.
     *
     * @param known the tables of the findings: their columns are used for events without the names of columns (binlog_row_metadata=MINIMAL)
     */
    public SearchResult run(Collection<Finding> findings, Collection<LogicalTable> known) {
        Map<TableName, List<String>> columns = new HashMap<>();
        known.forEach(table -> columns.put(
                table.name(),
                table.definition().columns().stream().map(Column::name).toList()));
        List<WantedRow> rows = new ArrayList<>();
        Map<TableName, WantedTable> tables = new HashMap<>();
        for (Finding finding : findings) {
            if (rows.size() < limits.rows()) {
                rows.add(tables.computeIfAbsent(
                                finding.table(), name -> new WantedTable(columns.getOrDefault(name, List.of())))
                        .add(finding));
            }
        }
        Progress progress = new Progress(rows, clock.nanoTime() + limits.time().toNanos());
        try {
            search(tables, progress);
        } catch (TributaryException e) {
            rows.forEach(WantedRow::dropFile);
            progress.end = e.line();
        }
        return progress.result();
    }

    /** How far a search is. */
    private static final class Progress {
        private final List<WantedRow> rows;
        private final long deadline;
        private String from = "";
        private String to = "";
        private long bytes;
        private String end = "";
        private long unread;

        Progress(List<WantedRow> rows, long deadline) {
            this.rows = rows;
            this.deadline = deadline;
        }

        boolean hasFoundAll() {
            return rows.stream().allMatch(WantedRow::isFound);
        }

        void fileRead(LogFile file, long events) {
            rows.forEach(WantedRow::fileRead);
            from = file.name();
            to = to.isEmpty() ? file.name() : to;
            bytes += file.size();
            unread += events;
        }

        SearchResult result() {
            return new SearchResult(rows.stream().map(WantedRow::result).toList(), from, to, bytes, end, unread);
        }
    }

    private void search(Map<TableName, WantedTable> tables, Progress progress) {
        List<LogFile> files = files();
        for (int i = files.size() - 1; i >= 0 && !progress.hasFoundAll() && progress.end.isEmpty(); i--) {
            LogFile file = files.get(i);
            if (i < files.size() - 1 && progress.bytes + file.size() > limits.bytes()) {
                progress.end = "more than " + limits.bytes() + " bytes";
            } else {
                scan(file, tables, progress);
            }
        }
    }

    private List<LogFile> files() {
        try (SqlSession session = SqlSession.open(client, node)) {
            QueryResult answer = session.query(FILES);
            List<LogFile> files = new ArrayList<>();
            for (int row = 0; row < answer.rows().size(); row++) {
                files.add(new LogFile(answer.text(row, "Log_name"), Long.parseLong(answer.text(row, "File_size"))));
            }
            return files;
        } catch (MysqlServerError e) {
            throw new TributaryException(ErrorCode.READER_REFUSED, node + ": " + FILES + ": " + e.getMessage(), e);
        }
    }

    private void scan(LogFile file, Map<TableName, WantedTable> tables, Progress progress) {
        try (SqlSession session = SqlSession.open(client, node);
                BinlogStream stream = dump(session, file)) {
            ChangeScan scan = new ChangeScan(tables, file.name(), stream.checksummed());
            while (!scan.isAtEnd() && stream.isOpen()) {
                if (stream.poll(scan, POLL_BYTES) == 0 && stream.isOpen()) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                if (clock.nanoTime() - progress.deadline > 0
                        || Thread.currentThread().isInterrupted()) {
                    progress.rows.forEach(WantedRow::dropFile);
                    progress.end = "more than " + limits.time().toSeconds() + " s";
                    return;
                }
            }
            if (!scan.isAtEnd()) { // a stream that ends is at the end of the newest file
                NodeDump.requireUnbroken(node, stream);
            }
            progress.fileRead(file, scan.unread());
        }
    }

    private BinlogStream dump(SqlSession session, LogFile file) {
        long number = session.connection().threadId();
        UUID uuid = UUID.nameUUIDFromBytes(("tributary verify " + number).getBytes(StandardCharsets.UTF_8));
        BinlogDump dump = BinlogDump.from(file.name(), DumpPosition.FIRST, FIRST_SERVER_ID + (number & 0xff_ffff), uuid)
                .withoutWaiting()
                .withBounds(QUEUE_BYTES, MOST_EVENT);
        return NodeDump.begin(session, dump);
    }
}
