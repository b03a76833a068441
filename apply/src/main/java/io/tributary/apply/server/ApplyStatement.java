package io.tributary.apply.server;

import io.netty.buffer.Unpooled;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.replay.session.SqlSession;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.replay.stream.StatementText;
import io.tributary.replay.stream.StreamStatement;
import io.tributary.schema.sql.SqlNames;
import java.util.List;

/**
 * A statement of the stream as the target gets it.
 *
 * @param original as the stream has it
 * @param schema the default schema on the target, "" for none
 * @param text with the target's names
 * @param targets the tables, schemas (with an empty table name) and programs that it changes, with the target's names
 * @param before a statement that is executed directly before it; "" for none
 */
public record ApplyStatement(
        StreamStatement original, String schema, StatementText text, List<TableName> targets, String before) {
    /** A statement before which nothing is executed. */
    public ApplyStatement(StreamStatement original, String schema, StatementText text, List<TableName> targets) {
        this(original, schema, text, targets, "");
    }

    /** A statement that needs no other names. */
    public static ApplyStatement of(StreamStatement statement) {
        return new ApplyStatement(statement, statement.schema(), statement.text(), statement.targets());
    }

    /** Its kind. */
    StatementKind kind() {
        return original.parsed().kind();
    }

    /** The same without the words that begin a transaction in which rows follow, which only MySQL 8.0.21 and later know. */
    public ApplyStatement withoutTransaction() {
        String words = new String(text.bytes(), text.charset());
        int at = words.lastIndexOf("START TRANSACTION");
        return at < 0 ? this : new ApplyStatement(original, schema, text.with(words.substring(0, at)), targets, before);
    }

    /** The same, executed with the GTID of its transaction. */
    ApplyStatement withGtid(ReplayTransaction transaction) {
        return new ApplyStatement(original, schema, text, targets, "SET gtid_next='" + transaction.gtid() + "'");
    }

    /**
     * Executes it with its session settings.
     *
     * @throws io.tributary.mysql.protocol.client.MysqlServerError if the server refuses it
     */
    void run(SqlSession session) {
        if (!schema.isEmpty()) {
            // the schema may be left out, and the statement may not need it: else the server says so
            var unused = session.isRefused("USE " + SqlNames.name(schema), MysqlError.ER_BAD_DB_ERROR);
        }
        session.run(original.settings());
        if (!before.isEmpty()) {
            session.run(before);
        }
        var unused = session.query(Unpooled.wrappedBuffer(text.bytes()));
    }

    /** For messages. */
    @Override
    public String toString() {
        return original.parsed().verb() + (targets.isEmpty() ? "" : " of " + targets);
    }
}
