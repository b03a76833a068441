package io.tributary.schema.read;

import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.AlterText.ColumnItem;
import io.tributary.schema.read.AlterText.DefaultItem;
import io.tributary.schema.read.AlterText.DropItem;
import io.tributary.schema.read.AlterText.Dropped;
import io.tributary.schema.read.AlterText.FlagItem;
import io.tributary.schema.read.AlterText.Place;
import java.util.Locale;
import java.util.Set;

/** Reads the items of ALTER TABLE, CREATE INDEX and DROP INDEX. */
final class AlterReader {
    /** Words after which PARTITION makes the statement one about partitions. */
    private static final Set<String> OF_PARTITIONS = Set.of(
            "ADD",
            "DROP",
            "TRUNCATE",
            "EXCHANGE",
            "DISCARD",
            "IMPORT",
            "REORGANIZE",
            "COALESCE",
            "ANALYZE",
            "CHECK",
            "OPTIMIZE",
            "REBUILD",
            "REPAIR",
            "CONVERT");

    private static final Set<String> INDEX = Set.of("INDEX", "KEY");

    private final Cursor cursor;
    private final ReadSession session;
    private final AlterText text = new AlterText();
    private final OptionReader options;

    AlterReader(Cursor cursor, ReadSession session) {
        this.cursor = cursor;
        this.session = session;
        this.options = new OptionReader(cursor, session);
    }

    AlterText read() {
        switch (cursor.next().word()) {
            case "ALTER" -> alterTable();
            case "CREATE" -> createIndex();
            case "DROP" -> dropIndex();
            default -> throw new UnreadableStatementException("not a statement that alters a table");
        }
        text.collate(options.collation());
        return text;
    }

    private void createIndex() {
        boolean replaces = cursor.accept("OR", "REPLACE");
        acceptOnline();
        TableKey.Kind kind = switch (cursor.word()) {
            case "UNIQUE" -> TableKey.Kind.UNIQUE;
            case "FULLTEXT" -> TableKey.Kind.FULLTEXT;
            case "SPATIAL" -> TableKey.Kind.SPATIAL;
            default -> TableKey.Kind.PLAIN;
        };
        if (kind != TableKey.Kind.PLAIN) {
            cursor.skip();
        }
        cursor.require("INDEX");
        boolean ifMissing = cursor.acceptIfExists();
        String name = cursor.name();
        if (cursor.accept("USING")) {
            cursor.skip();
        }
        cursor.require("ON");
        cursor.table();
        TableKey key = new ConstraintReader(cursor, session, text.added()).keyAfterName(kind, name);
        text.added().add(key);
        if (ifMissing) {
            text.added().addIfMissing(key);
        }
        if (replaces) {
            text.drops().add(new DropItem(Dropped.KEY, name, true));
        }
        modifiers();
    }

    private void dropIndex() {
        acceptOnline();
        cursor.require("INDEX");
        boolean ifExists = cursor.acceptIfExists();
        text.drops().add(new DropItem(Dropped.KEY, cursor.name(), ifExists));
        cursor.require("ON");
        cursor.table();
        modifiers();
    }

    /** ALGORITHM and LOCK after a statement about an index. */
    private void modifiers() {
        while (!cursor.isAtEnd()) {
            if (!cursor.accept("ALGORITHM")
                    && !cursor.accept("LOCK")
                    && !cursor.accept("WAIT")
                    && !cursor.accept("NOWAIT")) {
                throw new UnreadableStatementException("a modifier at " + cursor.rest());
            }
            cursor.acceptEquals();
            cursor.skip();
        }
    }

    private void acceptOnline() {
        if (!cursor.accept("ONLINE")) {
            cursor.accept("OFFLINE");
        }
    }

    private void alterTable() {
        acceptOnline();
        cursor.accept("IGNORE");
        cursor.require("TABLE");
        cursor.acceptIfExists();
        cursor.table();
        if (cursor.accept("WAIT")) {
            cursor.skip();
        } else {
            cursor.accept("NOWAIT");
        }
        while (!cursor.isAtEnd()) {
            if (OF_PARTITIONS.contains(cursor.word()) && cursor.wordAhead(1).equals("PARTITION")) {
                cursor.skipAll();
                return;
            }
            boolean option = item();
            if (cursor.areWords("PARTITION", "BY") || cursor.areWords("REMOVE", "PARTITIONING")) {
                cursor.skipAll();
            } else if (!cursor.acceptSign(',') && !cursor.isAtEnd() && !option) {
                throw new UnreadableStatementException("an item at " + cursor.rest());
            }
        }
    }

    /** Reads one item; returns whether another may follow without a comma. */
    private boolean item() {
        switch (cursor.word()) {
            case "ADD" -> add();
            case "DROP" -> drop();
            case "CHANGE" -> change();
            case "MODIFY" -> modify();
            case "RENAME" -> rename();
            case "ALTER" -> alter();
            case "CONVERT" -> convert();
            case "ORDER" -> orderBy();
            case "DISABLE", "ENABLE", "DISCARD", "IMPORT" -> {
                cursor.skip();
                cursor.skip();
            }
            case "FORCE", "SECONDARY_LOAD", "SECONDARY_UNLOAD" -> cursor.skip();
            case "WITH", "WITHOUT" -> {
                cursor.skip();
                cursor.require("VALIDATION");
            }
            case "ALGORITHM", "LOCK" -> {
                cursor.skip();
                cursor.acceptEquals();
                cursor.skip();
            }
            case "PARTITION", "REMOVE" -> {
                // the caller skips the following tokens
            }
            default -> {
                if (!options.accept()) {
                    throw new UnreadableStatementException("an item at " + cursor.rest());
                }
                return true;
            }
        }
        return false;
    }

    private void add() {
        cursor.skip();
        if (ConstraintReader.isNext(cursor)) {
            new ConstraintReader(cursor, session, text.added()).read();
            return;
        }
        cursor.accept("COLUMN");
        boolean ifNotExists = cursor.acceptIfExists();
        if (!cursor.acceptSign('(')) {
            TableText own = ofItem(ifNotExists);
            RawColumn column = ColumnReader.read(cursor, session, own);
            text.columns().add(new ColumnItem(column, "", place(), ifNotExists, own));
            return;
        }
        do {
            if (ConstraintReader.isNext(cursor)) {
                new ConstraintReader(cursor, session, text.added()).read();
            } else {
                TableText own = ofItem(ifNotExists);
                RawColumn column = ColumnReader.read(cursor, session, own);
                text.columns().add(new ColumnItem(column, "", Place.SAME, ifNotExists, own));
            }
        } while (cursor.acceptSign(','));
        cursor.requireSign(')');
    }

    private Place place() {
        if (cursor.accept("FIRST")) {
            return new Place(true, "");
        }
        return cursor.accept("AFTER") ? new Place(false, cursor.name()) : Place.SAME;
    }

    private void drop() {
        cursor.skip();
        Dropped kind = switch (cursor.word()) {
            case "PRIMARY", "INDEX", "KEY" -> Dropped.KEY;
            case "FOREIGN" -> Dropped.FOREIGN_KEY;
            case "CHECK" -> Dropped.CHECK;
            case "CONSTRAINT" -> Dropped.CONSTRAINT;
            default -> Dropped.COLUMN;
        };
        boolean primary = cursor.isWord("PRIMARY");
        if (kind == Dropped.COLUMN) {
            cursor.accept("COLUMN");
        } else {
            cursor.skip();
        }
        if (kind == Dropped.FOREIGN_KEY || primary) {
            cursor.require("KEY");
        }
        boolean ifExists = cursor.acceptIfExists();
        text.drops().add(new DropItem(kind, primary ? TableKey.PRIMARY_NAME : cursor.name(), ifExists));
        if (kind == Dropped.COLUMN && !cursor.accept("RESTRICT")) {
            cursor.accept("CASCADE");
        }
    }

    private void change() {
        cursor.skip();
        cursor.accept("COLUMN");
        boolean ifExists = cursor.acceptIfExists();
        String old = cursor.column();
        TableText own = ofItem(ifExists);
        RawColumn column = ColumnReader.read(cursor, session, own);
        text.columns().add(new ColumnItem(column, old, place(), ifExists, own));
    }

    private void modify() {
        cursor.skip();
        cursor.accept("COLUMN");
        boolean ifExists = cursor.acceptIfExists();
        TableText own = ofItem(ifExists);
        RawColumn column = ColumnReader.read(cursor, session, own);
        text.columns().add(new ColumnItem(column, column.name(), place(), ifExists, own));
    }

    /** The target of keys and constraints of a column: those of a column that may not be added are kept separately. */
    private TableText ofItem(boolean ifExists) {
        return ifExists ? new TableText() : text.added();
    }

    private void rename() {
        cursor.skip();
        if (cursor.accept("COLUMN")) {
            boolean ifExists = cursor.acceptIfExists();
            String old = cursor.column();
            if (ifExists) {
                text.onlyIfExists(old);
            }
            cursor.require("TO");
            text.renamedColumns().put(old.toLowerCase(Locale.ROOT), cursor.column());
        } else if (cursor.acceptOneOf(INDEX)) {
            boolean ifExists = cursor.acceptIfExists();
            String old = cursor.name();
            if (ifExists) {
                text.onlyIfExists(old);
            }
            cursor.require("TO");
            text.renamedKeys().put(old.toLowerCase(Locale.ROOT), cursor.name());
        } else {
            if (!cursor.accept("TO") && !cursor.accept("AS")) {
                cursor.acceptEquals();
            }
            text.rename(cursor.table());
        }
    }

    private void alter() {
        cursor.skip();
        if (cursor.acceptOneOf(INDEX)) {
            cursor.acceptIfExists();
            String key = cursor.name();
            boolean not = cursor.accept("NOT");
            String word = cursor.next().word();
            text.keyVisibility().add(new FlagItem(key, word.equals("VISIBLE") || (not && word.equals("IGNORED"))));
        } else if (cursor.accept("CHECK") || cursor.accept("CONSTRAINT")) {
            String check = cursor.name();
            if (text.enforcement().stream().anyMatch(item -> item.name().equalsIgnoreCase(check))) {
                throw new UnreadableStatementException("two items about one check");
            }
            text.enforcement().add(new FlagItem(check, ConstraintReader.enforced(cursor)));
        } else {
            alterColumn();
        }
    }

    private void alterColumn() {
        cursor.accept("COLUMN");
        boolean ifExists = cursor.acceptIfExists();
        String column = cursor.column();
        if (ifExists) {
            text.onlyIfExists(column);
        }
        if (cursor.accept("DROP", "DEFAULT")) {
            text.defaults().add(new DefaultItem(column, null));
            return;
        }
        cursor.require("SET");
        if (cursor.accept("DEFAULT")) {
            boolean expression = cursor.isSign('(');
            RawDefault value = ColumnReader.defaultClause(cursor, session);
            if (expression
                    && !session.mariadb()
                    && Expressions.columns(value.value().toString()).isEmpty()) {
                throw new UnreadableStatementException(
                        "a constant expression as a default, which the server may keep as a constant");
            }
            text.defaults().add(new DefaultItem(column, value));
        } else {
            text.columnVisibility().add(new FlagItem(column, cursor.next().isWord("VISIBLE")));
        }
    }

    private void convert() {
        cursor.skip();
        cursor.require("TO");
        boolean shortWord = cursor.accept("CHARSET");
        if (!shortWord) {
            if (!cursor.accept("CHARACTER")) {
                cursor.require("CHAR");
            }
            cursor.require("SET");
        }
        cursor.acceptEquals();
        String charset = cursor.next().value();
        String to = charset.equalsIgnoreCase("DEFAULT")
                ? session.mariadb() ? session.schemaCollation() : session.databaseCollation()
                : charset.equalsIgnoreCase("binary") ? "binary" : RawType.defaultCollation(charset, session);
        if (cursor.accept("COLLATE")) {
            cursor.acceptEquals();
            to = OptionReader.known(cursor.next().value());
        }
        if (to.isEmpty()) {
            throw new UnreadableStatementException("the character set " + charset);
        }
        if (session.mariadb() && !text.converted().isEmpty()) {
            throw new UnreadableStatementException("two character sets");
        }
        text.convert(to);
    }

    /** Further columns follow commas, as further items do. */
    private void orderBy() {
        cursor.skip();
        cursor.require("BY");
        while (true) {
            cursor.column();
            if (!cursor.accept("ASC")) {
                cursor.accept("DESC");
            }
            if (!cursor.isSign(',') || !isColumnAhead()) {
                return;
            }
            cursor.skip();
        }
    }

    /** Whether a column follows the comma here: then a comma, a direction or the end follows it. */
    private boolean isColumnAhead() {
        int before = cursor.at();
        cursor.skip();
        boolean column = cursor.isName() && !cursor.isWord("FORCE");
        if (column) {
            cursor.column();
            column = cursor.isAtEnd() || cursor.isSign(',') || cursor.isWord("ASC") || cursor.isWord("DESC");
        }
        cursor.goTo(before);
        return column;
    }
}
