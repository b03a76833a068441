package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Parses a statement that a server has run and computes the resulting definition. It never fails: for a statement that it cannot read, or
 * that contradicts the definition before it, it returns nothing, and the caller asks the server.
 */
public final class DefinitionReader {
    private DefinitionReader() {}

    /**
     * Reads CREATE TABLE, also the result of SHOW CREATE TABLE.
     *
     * @param like the definition of the table that CREATE TABLE ... LIKE names
     * @return empty also for CREATE TABLE ... SELECT, whose text does not contain the columns
     */
    public static Optional<TableDefinition> create(
            String statement, ReadSession session, Function<TableName, Optional<TableDefinition>> like) {
        try {
            return Optional.of(new CreateReader(cursor(statement, session), session, like).read());
        } catch (UnreadableStatementException unknown) {
            return Optional.empty();
        }
    }

    /**
     * Reads ALTER TABLE, CREATE INDEX or DROP INDEX.
     *
     * @param before the definition of the table that the statement names; the caller finds it by the name
     * @return the definition after it; with the table's new name after RENAME TO
     */
    public static Optional<TableDefinition> alter(TableDefinition before, String statement, ReadSession session) {
        return alter(before, statement, session, text -> {});
    }

    /**
     * The same for a table whose columns are known, and whose keys and constraints are known only in part: those that the statement adds may exist
     * already, those that it drops or renames may not exist.
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
        } catch (UnreadableStatementException unknown) {
            return Optional.empty();
        }
    }

    private static Cursor cursor(String statement, ReadSession session) {
        return new Cursor(session.scan(statement), session);
    }
}
