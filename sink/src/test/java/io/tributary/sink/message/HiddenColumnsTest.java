package io.tributary.sink.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.tributary.changes.ChangeTable;
import io.tributary.changes.RowChange;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.sink.avro.AvroFormat;
import io.tributary.sink.avro.AvroOptions;
import io.tributary.sink.canal.CanalFormat;
import io.tributary.sink.debezium.DebeziumFormat;
import io.tributary.sink.json.RecordedBinlog;
import io.tributary.sink.open.OpenFormat;
import io.tributary.sink.simple.SimpleFormat;
import io.tributary.testkit.server.MysqlOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Columns that no message has. */
class HiddenColumnsTest {
    private static boolean isSecret(TableName table, String column) {
        return table.schema().equals("d") && column.equals("secret");
    }

    private static List<MessageFormat> formats() {
        FormatOptions options = FormatOptions.of("s");
        return List.of(
                new CanalFormat(options),
                new DebeziumFormat(options),
                new AvroFormat(options, AvroOptions.standard(), (subject, schema) -> 1),
                new OpenFormat(),
                new SimpleFormat());
    }

    @Test
    void noProtocolHasAHiddenColumn() throws Exception {
        try (RecordedBinlog binlog = new RecordedBinlog(MysqlOptions.named("mask"))) {
            binlog.sql()
                    .execute(
                            "CREATE TABLE d.t (id INT PRIMARY KEY, secret VARCHAR(40), shown VARCHAR(40), KEY (secret, shown))",
                            "INSERT INTO d.t VALUES (1, 'hidden value', 'shown value')",
                            "UPDATE d.t SET secret = 'hidden too', shown = 'shown value 2'",
                            "DELETE FROM d.t");
            List<RecordedBinlog.Entry> rows = binlog.read().stream()
                    .filter(entry -> entry.table() != null)
                    .toList();
            assertEquals(3, rows.size());
            for (MessageFormat format : formats()) {
                String plain = text(format, rows);
                assertTrue(plain.contains("hidden value"), plain);
            }
            for (MessageFormat format : formats()) {
                String masked = text(new HiddenColumns(format, HiddenColumnsTest::isSecret), rows);
                assertTrue(masked.contains("shown value") && masked.contains("shown value 2"), masked);
                assertFalse(masked.contains("hidden") || masked.contains("secret"), masked);
            }
        }
    }

    private static String text(MessageFormat format, List<RecordedBinlog.Entry> entries) {
        ByteBuf out = Unpooled.buffer();
        for (RecordedBinlog.Entry entry : entries) {
            RowFormat rows = format.table(entry.table(), "topic");
            RowChange row = entry.rows();
            while (row.next()) {
                RowPlace place = new RowPlace().set(entry.transaction(), entry.firstRow() + row.row(), 1);
                boolean hasKey = rows.key(out, row, place);
                boolean hasValue = rows.value(out, row, place);
                assertTrue(hasKey || hasValue);
                boolean unused = format.definitionValue(out, entry.table(), place);
            }
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aColumnOfTheKeyCannotBeHidden() throws Exception {
        try (RecordedBinlog binlog = new RecordedBinlog(MysqlOptions.named("mask"))) {
            binlog.sql()
                    .execute("CREATE TABLE d.t (secret INT PRIMARY KEY, shown INT)", "INSERT INTO d.t VALUES (1, 2)");
            ChangeTable table = binlog.read().stream()
                    .filter(entry -> entry.table() != null)
                    .findFirst()
                    .orElseThrow()
                    .table();
            MessageFormat format = new HiddenColumns(new OpenFormat(), HiddenColumnsTest::isSecret);
            TributaryException error = assertThrows(TributaryException.class, () -> format.table(table, "topic"));
            assertEquals(ErrorCode.SINK_TABLE_UNFIT, error.code());
            assertTrue(error.getMessage().contains("sink.columns.hidden"), error.getMessage());
        }
    }
}
