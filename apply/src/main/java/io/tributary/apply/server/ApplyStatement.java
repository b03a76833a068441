package io.tributary.apply.server;

import io.netty.buffer.Unpooled;
import io.tributary.common.value.TableName;
import io.tributary.extractor.ddl.StatementKind;
import io.tributary.replay.session.SqlSession;
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
 */
public record ApplyStatement(StreamStatement original, String schema, StatementText text, List<TableName> targets) {
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
        return at < 0 ? this : new ApplyStatement(original, schema, text.with(words.substring(0, at)), targets);
    }

    /**
     * Executes it with its session settings.
     *
     * @throws io.tributary.mysql.protocol.client.MysqlServerError if the server refuses it
     */
    void run(SqlSession session) {
        if (!schema.isEmpty()) {
            var unused = session.query("USE " + SqlNames.name(schema));
        }
        session.run(original.settings());
        var unused = session.query(Unpooled.wrappedBuffer(text.bytes()));
    }

    /** For messages. */
    @Override
    public String toString() {
        return original.parsed().verb() + (targets.isEmpty() ? "" : " of " + targets);
    }
}
