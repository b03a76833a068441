package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads a statement that a server has run into the definition that it left. It never fails: what it cannot read, and what
 * contradicts the definition before it, gives nothing, and the caller asks the server.
 */
public final class DefinitionReader {
    private DefinitionReader() {}

    /**
     * Reads CREATE TABLE, also the text that SHOW CREATE TABLE answers.
     *
     * @param like the definition of the table that CREATE TABLE ... LIKE names
     * @return empty also for CREATE TABLE ... SELECT, whose columns the text does not have
     */
    public static Optional<TableDefinition> create(
            String statement, ReadSession session, Function<TableName, Optional<TableDefinition>> like) {
        try {
            return Optional.of(new CreateReader(cursor(statement, session), session, like).read());
        } catch (Unreadable unknown) {
            return Optional.empty();
        }
    }

    /**
     * Reads ALTER TABLE, CREATE INDEX or DROP INDEX.
     *
     * @param before the definition of the table that the statement names; what the name is, is the caller's to find out
     * @return the definition behind it; with the table's name after RENAME TO
     */
    public static Optional<TableDefinition> alter(TableDefinition before, String statement, ReadSession session) {
        return alter(before, statement, session, text -> {});
    }

    /**
     * The same for a table of which the columns are known, and keys and constraints only in part: those that the statement adds may be there already, those
     * that it drops or renames may not.
     */
    public static Optional<TableDefinition> alterColumns(
            TableDefinition before, String statement, ReadSession session) {
        return alter(before, statement, session, text -> text.assumeKeys(before));
    }

    private static Optional<TableDefinition> alter(
            TableDefinition before, String statement, ReadSession session, Consumer<AlterText> adjust) {
        try {
            AlterText text = new AlterReader(cursor(statement, session), session).read();
            adjust.accept(text);
            return Optional.of(new AlterApplication(before, text, session).apply());
        } catch (Unreadable unknown) {
            return Optional.empty();
        }
    }

    private static Cursor cursor(String statement, ReadSession session) {
        return new Cursor(session.scan(statement), session);
    }
}
