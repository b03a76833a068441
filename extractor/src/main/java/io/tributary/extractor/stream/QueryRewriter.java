package io.tributary.extractor.stream;

import io.tributary.common.io.LittleEndian;
import io.tributary.extractor.ddl.DdlStatement;
import io.tributary.extractor.ddl.StatementSession;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.LoggedStatement;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.sql.ClientCharset;
import io.tributary.schema.sql.SqlMode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** The reader and writer of statements of QUERY events: reads one in its session's character set, and writes it again with logical names. */
final class QueryRewriter {
    /** MariaDB's settings for one statement, which the shard has applied already. */
    private static final Pattern SETTINGS =
            Pattern.compile("(?is)^\\s*SET\\s+STATEMENT\\s(?:'[^']*'|\"[^\"]*\"|[^'\"])*?\\sFOR\\s+");

    /** Types of columns that are 0000-00-00 in existing rows if they are NOT NULL and have no default. */
    private static final Pattern DATES = Pattern.compile("(?i)\\b(?:DATE|DATETIME|TIMESTAMP)\\b");

    private Charset charset = StandardCharsets.UTF_8;
    private SqlMode sqlMode = SqlMode.DEFAULT;
    private String schema = "";
    private String text = "";

    /** Parses the statement of a checked event, and keeps it for the later calls. */
    DdlStatement parse(ByteBuffer view, int at, int end) {
        int client = QueryEvent.variable(view, at, StatusVariables.Q_CHARSET_CODE);
        int mode = QueryEvent.variable(view, at, StatusVariables.Q_SQL_MODE_CODE);
        charset = ClientCharset.of(client < 0 ? 0 : MysqlVariables.collation(LittleEndian.getU16(view, client)));
        sqlMode = mode < 0 ? SqlMode.DEFAULT : SqlMode.of(LittleEndian.getLong(view, mode));
        byte[] bytes = new byte[end - QueryEvent.textAt(view, at)];
        view.get(QueryEvent.textAt(view, at), bytes);
        text = SETTINGS.matcher(new String(bytes, charset)).replaceFirst("");
        schema = QueryEvent.schema(view, at);
        return DdlStatement.parse(text, schema, sqlMode);
    }

    /** The settings of the session that ran the last parsed statement. */
    StatementSession session(ByteBuffer view, int at, boolean isMariadb) {
        return new StatementSession(sqlMode, charset, ByteBuffer.wrap(MysqlVariables.of(view, at, isMariadb)));
    }

    /** Whether the last parsed statement is written exactly as it was read. */
    boolean isUnchanged(DdlStatement.Mapped mapped) {
        DdlStatement.Written first = mapped.statements().get(0);
        return mapped.statements().size() == 1
                && !first.withoutForeignKeyChecks()
                && !mayMakeZeroDates(mapped)
                && first.text().equals(text)
                && mapped.defaultSchema().equals(schema);
    }

    /**
     * Whether rows of other members may get dates that the session does not accept: a server refuses an ALTER TABLE only because of its own rows,
     * and this member may have none.
     */
    private static boolean mayMakeZeroDates(DdlStatement.Mapped mapped) {
        return mapped.ddl().verb().equals("ALTER TABLE")
                && mapped.statements().stream()
                        .anyMatch(statement -> DATES.matcher(statement.text()).find());
    }

    /** Appends an event for each part, in MySQL's form; time, thread and flags are those of the event at {@code at}. */
    static void append(
            ByteBuffer view, int at, DdlStatement.Mapped mapped, StatementSession session, PayloadWriter payload) {
        for (DdlStatement.Written statement : mapped.statements()) {
            byte[] variables = new byte[session.variables().limit()];
            session.variables().get(0, variables);
            if (statement.withoutForeignKeyChecks()) {
                variables = MysqlVariables.withoutForeignKeyChecks(variables);
            }
            if (mayMakeZeroDates(mapped)) {
                variables = MysqlVariables.withZeroDates(variables);
            }
            byte[] newSchema = mapped.defaultSchema().getBytes(StandardCharsets.UTF_8);
            byte[] newText = statement.text().getBytes(session.charset());
            ByteBuffer event =
                    ByteBuffer.allocate(QueryEvent.length(variables.length, newSchema.length, newText.length));
            LoggedStatement logged = new LoggedStatement(
                    EventHeader.flags(view, at), QueryEvent.threadId(view, at), variables, newSchema, newText);
            int end = QueryEvent.write(event, 0, EventOrigin.of(view, at), logged);
            payload.event(event, 0, end);
        }
    }
}
