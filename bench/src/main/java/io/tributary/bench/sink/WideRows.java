package io.tributary.bench.sink;

import io.tributary.changes.ChangeHandler;
import io.tributary.changes.ChangeInput;
import io.tributary.changes.ChangeStatement;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.ChangeTransaction;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.testkit.check.BinlogEvent;
import io.tributary.testkit.check.BinlogFile;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Inserted rows of 60 columns of about 1.2 kB in the binlog of a real server, in memory.
 *
 * @param events rows events without checksums, in order
 * @param rows of all events
 * @param bytes of all events
 * @param log all events since the table was created, without checksums
 * @param definition of the table
 */
record WideRows(ChangeTable table, List<ByteBuffer> events, int rows, long bytes, List<ByteBuffer> log, TableDefinition definition) {
    private static final TableName NAME = new TableName("wide", "rows");
    private static final int COLUMNS = 60;
    private static final int BATCH = 50;

    /** Inserts rows in transactions of 50, and reads them back. */
    static WideRows make(int rows) throws SQLException, IOException {
        try (MysqlServer server = MysqlServer.start("wide");
                Sql sql = server.sql()) {
            sql.execute("CREATE DATABASE wide", "USE wide", "FLUSH BINARY LOGS", create());
            SplittableRandom random = new SplittableRandom(1);
            for (int from = 0; from < rows; from += BATCH) {
                StringBuilder insert = new StringBuilder("INSERT INTO `rows` VALUES ");
                for (int i = from; i < Math.min(rows, from + BATCH); i++) {
                    insert.append(i == from ? "" : ", ").append(row(i, random));
                }
                sql.execute(insert.toString());
            }
            TableDefinition definition = DefinitionReader.create(create(), ReadSession.standard("wide"), other -> Optional.empty())
                    .orElseThrow()
                    .named(NAME);
            return read(server, definition);
        }
    }

    private static final List<String> TYPES = List.of(
            "INT NOT NULL", "BIGINT", "DECIMAL(18,4)", "DATETIME(3)", "VARCHAR(120)", "TIMESTAMP NULL", "TINYINT UNSIGNED", "DOUBLE", "VARCHAR(90)",
            "ENUM('new','paid','sent','closed')", "DATE", "BIGINT UNSIGNED");

    private static String create() {
        StringBuilder text = new StringBuilder("CREATE TABLE `rows` (id BIGINT NOT NULL");
        for (int i = 1; i < COLUMNS; i++) {
            text.append(", column_").append(i).append(' ').append(TYPES.get(i % TYPES.size()));
        }
        return text.append(", PRIMARY KEY (id)) CHARACTER SET utf8mb4").toString();
    }

    private static String row(int id, SplittableRandom random) {
        StringBuilder row = new StringBuilder("(").append(id);
        for (int i = 1; i < COLUMNS; i++) {
            row.append(", ").append(value(i, random));
        }
        return row.append(')').toString();
    }

    private static String value(int column, SplittableRandom random) {
        int kind = column % TYPES.size();
        boolean isNull = kind != 0 && random.nextInt(20) == 0;
        if (isNull) {
            return "NULL";
        }
        return switch (kind) {
            case 0 -> Integer.toString(random.nextInt(1_000_000));
            case 1 -> Long.toString(random.nextLong() >> random.nextInt(40));
            case 2 -> random.nextInt(10_000_000) + "." + (1000 + random.nextInt(9000));
            case 3 -> "'2026-11-" + (10 + random.nextInt(20)) + " 12:34:56." + (100 + random.nextInt(900)) + "'";
            case 4 -> "'" + text(random, 112) + "'";
            case 5 -> "'2026-11-" + (10 + random.nextInt(20)) + " 01:02:" + (10 + random.nextInt(50)) + "'";
            case 6 -> Integer.toString(random.nextInt(256));
            case 7 -> random.nextInt(1_000_000) / 100.0 + "e0";
            case 8 -> "'" + text(random, 80) + "'";
            case 9 -> "'" + List.of("new", "paid", "sent", "closed").get(random.nextInt(4)) + "'";
            case 10 -> "'2026-01-" + (10 + random.nextInt(20)) + "'";
            default -> Long.toString(random.nextLong() >>> 1);
        };
    }

    private static String text(SplittableRandom random, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    private static WideRows read(MysqlServer server, TableDefinition definition) throws IOException {
        List<ByteBuffer> log = new ArrayList<>();
        List<Path> files = server.binlogFiles();
        try (BinlogFile file = BinlogFile.open(files.get(files.size() - 1))) {
            for (BinlogEvent event = file.next(); event != null; event = file.next()) {
                if (event.type() != EventType.FORMAT_DESCRIPTION_EVENT) {
                    log.add(event.bytes());
                }
            }
        }
        Kept kept = new Kept();
        feed(new ChangeInput(kept, (gtid, table) -> Optional.of(definition)), log);
        long bytes = kept.events.stream().mapToLong(ByteBuffer::limit).sum();
        return new WideRows(kept.table, kept.events, kept.rows, bytes, log, definition);
    }

    /** Passes all events of a log to an input. */
    static void feed(ChangeInput input, List<ByteBuffer> log) {
        input.begin(false);
        for (ByteBuffer event : log) {
            input.event(event, 0, event.limit());
        }
    }

    private static final class Kept implements ChangeHandler {
        private final List<ByteBuffer> events = new ArrayList<>();
        private ChangeTable table;
        private int rows;

        @Override
        public boolean wants(TableName name) {
            return true;
        }

        @Override
        public void begin(ChangeTransaction transaction) {
            // rows are counted
        }

        @Override
        public void rows(ChangeTable of, ByteBuffer view, int at, int end) {
            table = of;
            rows += of.rows(view, at, end);
            ByteBuffer event = ByteBuffer.allocate(end - at);
            event.put(0, view, at, end - at);
            EventHeader.setSize(event, 0, end - at);
            events.add(event);
        }

        @Override
        public void statement(ChangeStatement statement) {
            // rows are counted
        }

        @Override
        public void end(String file, long position) {
            // rows are counted
        }
    }
}
