package io.tributary.schema.read;

import io.tributary.schema.definition.Key;
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
    /** With PARTITION behind, the statement is about partitions. */
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
            default -> throw new Unreadable("no statement that alters a table");
        }
        text.collate(options.collation());
        return text;
    }

    private void createIndex() {
        boolean replaces = cursor.take("OR", "REPLACE");
        takeOnline();
        Key.Kind kind = switch (cursor.word()) {
            case "UNIQUE" -> Key.Kind.UNIQUE;
            case "FULLTEXT" -> Key.Kind.FULLTEXT;
            case "SPATIAL" -> Key.Kind.SPATIAL;
            default -> Key.Kind.PLAIN;
        };
        if (kind != Key.Kind.PLAIN) {
            cursor.skip();
        }
        cursor.require("INDEX");
        boolean ifMissing = cursor.takeIfExists();
        String name = cursor.name();
        if (cursor.take("USING")) {
            cursor.skip();
        }
        cursor.require("ON");
        cursor.table();
        Key key = new ConstraintReader(cursor, session, text.added()).keyBehindName(kind, name);
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
        takeOnline();
        cursor.require("INDEX");
        boolean ifExists = cursor.takeIfExists();
        text.drops().add(new DropItem(Dropped.KEY, cursor.name(), ifExists));
        cursor.require("ON");
        cursor.table();
        modifiers();
    }

    /** ALGORITHM and LOCK behind a statement about an index. */
    private void modifiers() {
        while (!cursor.isAtEnd()) {
            if (!cursor.take("ALGORITHM") && !cursor.take("LOCK") && !cursor.take("WAIT") && !cursor.take("NOWAIT")) {
                throw new Unreadable("a modifier at " + cursor.rest());
            }
            cursor.takeEquals();
            cursor.skip();
        }
    }

    private void takeOnline() {
        if (!cursor.take("ONLINE")) {
            cursor.take("OFFLINE");
        }
    }

    private void alterTable() {
        takeOnline();
        cursor.take("IGNORE");
        cursor.require("TABLE");
        cursor.takeIfExists();
        cursor.table();
        if (cursor.take("WAIT")) {
            cursor.skip();
        } else {
            cursor.take("NOWAIT");
        }
        while (!cursor.isAtEnd()) {
            if (OF_PARTITIONS.contains(cursor.word()) && cursor.wordAhead(1).equals("PARTITION")) {
                cursor.skipAll();
                return;
            }
            boolean option = item();
            if (cursor.areWords("PARTITION", "BY") || cursor.areWords("REMOVE", "PARTITIONING")) {
                cursor.skipAll();
            } else if (!cursor.takeSign(',') && !cursor.isAtEnd() && !option) {
                throw new Unreadable("an item at " + cursor.rest());
            }
        }
    }

    /** Takes one item; whether another may follow without a comma. */
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
                cursor.takeEquals();
                cursor.skip();
            }
            case "PARTITION", "REMOVE" -> {
                // the caller skips the rest
            }
            default -> {
                if (!options.take()) {
                    throw new Unreadable("an item at " + cursor.rest());
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
        cursor.take("COLUMN");
        boolean ifNotExists = cursor.takeIfExists();
        if (!cursor.takeSign('(')) {
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
        } while (cursor.takeSign(','));
        cursor.requireSign(')');
    }

    private Place place() {
        if (cursor.take("FIRST")) {
            return new Place(true, "");
        }
        return cursor.take("AFTER") ? new Place(false, cursor.name()) : Place.SAME;
    }

    private void drop() {
        cursor.skip();
        Dropped what = switch (cursor.word()) {
            case "PRIMARY", "INDEX", "KEY" -> Dropped.KEY;
            case "FOREIGN" -> Dropped.FOREIGN_KEY;
            case "CHECK" -> Dropped.CHECK;
            case "CONSTRAINT" -> Dropped.CONSTRAINT;
            default -> Dropped.COLUMN;
        };
        boolean primary = cursor.isWord("PRIMARY");
        if (what == Dropped.COLUMN) {
            cursor.take("COLUMN");
        } else {
            cursor.skip();
        }
        if (what == Dropped.FOREIGN_KEY || primary) {
            cursor.require("KEY");
        }
        boolean ifExists = cursor.takeIfExists();
        text.drops().add(new DropItem(what, primary ? Key.PRIMARY_NAME : cursor.name(), ifExists));
        if (what == Dropped.COLUMN && !cursor.take("RESTRICT")) {
            cursor.take("CASCADE");
        }
    }

    private void change() {
        cursor.skip();
        cursor.take("COLUMN");
        boolean ifExists = cursor.takeIfExists();
        String old = cursor.column();
        TableText own = ofItem(ifExists);
        RawColumn column = ColumnReader.read(cursor, session, own);
        text.columns().add(new ColumnItem(column, old, place(), ifExists, own));
    }

    private void modify() {
        cursor.skip();
        cursor.take("COLUMN");
        boolean ifExists = cursor.takeIfExists();
        TableText own = ofItem(ifExists);
        RawColumn column = ColumnReader.read(cursor, session, own);
        text.columns().add(new ColumnItem(column, column.name(), place(), ifExists, own));
    }

    /** Where keys and constraints of a column go: those of one that may not be taken are kept apart. */
    private TableText ofItem(boolean ifExists) {
        return ifExists ? new TableText() : text.added();
    }

    private void rename() {
        cursor.skip();
        if (cursor.take("COLUMN")) {
            boolean ifExists = cursor.takeIfExists();
            String old = cursor.column();
            if (ifExists) {
                text.onlyIfExists(old);
            }
            cursor.require("TO");
            text.renamedColumns().put(old.toLowerCase(Locale.ROOT), cursor.column());
        } else if (cursor.takeOneOf(INDEX)) {
            boolean ifExists = cursor.takeIfExists();
            String old = cursor.name();
            if (ifExists) {
                text.onlyIfExists(old);
            }
            cursor.require("TO");
            text.renamedKeys().put(old.toLowerCase(Locale.ROOT), cursor.name());
        } else {
            if (!cursor.take("TO") && !cursor.take("AS")) {
                cursor.takeEquals();
            }
            text.rename(cursor.table());
        }
    }

    private void alter() {
        cursor.skip();
        if (cursor.takeOneOf(INDEX)) {
            cursor.takeIfExists();
            String key = cursor.name();
            boolean not = cursor.take("NOT");
            String word = cursor.next().word();
            text.keyVisibility().add(new FlagItem(key, word.equals("VISIBLE") || (not && word.equals("IGNORED"))));
        } else if (cursor.take("CHECK") || cursor.take("CONSTRAINT")) {
            String check = cursor.name();
            if (text.enforcement().stream().anyMatch(item -> item.name().equalsIgnoreCase(check))) {
                throw new Unreadable("two items about one check");
            }
            text.enforcement().add(new FlagItem(check, ConstraintReader.enforced(cursor)));
        } else {
            alterColumn();
        }
    }

    private void alterColumn() {
        cursor.take("COLUMN");
        boolean ifExists = cursor.takeIfExists();
        String column = cursor.column();
        if (ifExists) {
            text.onlyIfExists(column);
        }
        if (cursor.take("DROP", "DEFAULT")) {
            text.defaults().add(new DefaultItem(column, null));
            return;
        }
        cursor.require("SET");
        if (cursor.take("DEFAULT")) {
            boolean expression = cursor.isSign('(');
            RawDefault value = ColumnReader.defaultClause(cursor, session);
            if (expression
                    && !session.mariadb()
                    && Expressions.columns(value.value().toString()).isEmpty()) {
                throw new Unreadable("a constant expression as a default, which the server may keep as a constant");
            }
            text.defaults().add(new DefaultItem(column, value));
        } else {
            text.columnVisibility().add(new FlagItem(column, cursor.next().isWord("VISIBLE")));
        }
    }

    private void convert() {
        cursor.skip();
        cursor.require("TO");
        boolean shortWord = cursor.take("CHARSET");
        if (!shortWord) {
            if (!cursor.take("CHARACTER")) {
                cursor.require("CHAR");
            }
            cursor.require("SET");
        }
        cursor.takeEquals();
        String charset = cursor.next().value();
        String to = charset.equalsIgnoreCase("DEFAULT")
                ? session.mariadb() ? session.schemaCollation() : session.databaseCollation()
                : charset.equalsIgnoreCase("binary") ? "binary" : RawType.defaultCollation(charset, session);
        if (cursor.take("COLLATE")) {
            cursor.takeEquals();
            to = OptionReader.known(cursor.next().value());
        }
        if (to.isEmpty()) {
            throw new Unreadable("the character set " + charset);
        }
        if (session.mariadb() && !text.converted().isEmpty()) {
            throw new Unreadable("two character sets");
        }
        text.convert(to);
    }

    /** Further columns have commas in front, as further items have. */
    private void orderBy() {
        cursor.skip();
        cursor.require("BY");
        while (true) {
            cursor.column();
            if (!cursor.take("ASC")) {
                cursor.take("DESC");
            }
            if (!cursor.isSign(',') || !isColumnAhead()) {
                return;
            }
            cursor.skip();
        }
    }

    /** Whether a column stands behind the comma here: then a comma, a direction or the end follows it. */
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
