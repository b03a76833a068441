package io.tributary.replay.stream;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.DdlStatement;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.event.EventFlags;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.sql.ClientCharset;
import io.tributary.schema.sql.SqlMode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.util.List;

/**
 * A statement of the stream.
 *
 * @param parsed its parts
 * @param schema the default schema in which it is executed, "" for none
 * @param settings the statement that makes its session settings
 * @param text its text in the character set of these settings
 * @param targets the tables, schemas (with an empty table name) and programs that it changes
 */
public record StreamStatement(
        DdlStatement parsed, String schema, String settings, StatementText text, List<TableName> targets) {

    /**
     * Reads a checked QUERY event.
     *
     * @param isOldTarget whether the target is older than 8.0
     */
    public static StreamStatement of(ByteBuffer view, int at, int end, boolean isOldTarget) {
        int client = QueryEvent.variable(view, at, StatusVariables.Q_CHARSET_CODE);
        int mode = QueryEvent.variable(view, at, StatusVariables.Q_SQL_MODE_CODE);
        byte[] text = new byte[end - QueryEvent.textAt(view, at)];
        view.get(QueryEvent.textAt(view, at), text);
        String schema = QueryEvent.schema(view, at);
        boolean suppressesUse = (EventHeader.flags(view, at) & EventFlags.LOG_EVENT_SUPPRESS_USE_F) != 0;
        Charset charset = ClientCharset.of(client < 0 ? 0 : LittleEndian.getU16(view, client));
        DdlStatement parsed = DdlStatement.parse(
                new String(text, charset),
                schema,
                mode < 0 ? SqlMode.DEFAULT : SqlMode.of(LittleEndian.getLong(view, mode)));
        TableName emptied = parsed.emptiedByServer(suppressesUse);
        return new StreamStatement(
                parsed,
                suppressesUse ? "" : schema,
                StatementSettings.of(view, at, isOldTarget),
                new StatementText(text, charset),
                emptied == null ? parsed.targets() : List.of(emptied));
    }

    /** Whether it removes a schema with all its tables. */
    public boolean dropsSchema() {
        return parsed.kind() == StatementKind.SCHEMA && parsed.verb().startsWith("DROP ");
    }

    /** Its first words, for messages, with what it changes. */
    @Override
    public String toString() {
        return parsed.verb() + (targets.isEmpty() ? "" : " of " + targets);
    }
}
