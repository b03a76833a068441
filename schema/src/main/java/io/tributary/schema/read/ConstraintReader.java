package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.Key;
import io.tributary.schema.definition.KeyPart;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads keys and constraints, at a column and beside columns. */
final class ConstraintReader {
    private static final Set<String> BEGIN =
            Set.of("CONSTRAINT", "PRIMARY", "UNIQUE", "INDEX", "KEY", "FULLTEXT", "SPATIAL", "FOREIGN", "CHECK");
    private static final Set<String> KINDS = Set.of("PRIMARY", "UNIQUE", "FOREIGN", "CHECK");
    private static final Set<String> INDEX = Set.of("INDEX", "KEY");
    private static final int INLINE_REFERENCES = 90000;

    private final Cursor cursor;
    private final ReadSession session;
    private final TableText text;

    ConstraintReader(Cursor cursor, ReadSession session, TableText text) {
        this.cursor = cursor;
        this.session = session;
        this.text = text;
    }

    /** Whether a key or constraint begins here, and no column. */
    static boolean isNext(Cursor cursor) {
        return cursor.isWordOf(BEGIN);
    }

    /** A key or constraint beside columns. */
    void read() {
        String name = "";
        boolean ifMissing = false;
        if (cursor.take("CONSTRAINT")) {
            ifMissing = cursor.takeIfExists();
            name = cursor.isWordOf(KINDS) ? "" : cursor.name();
        }
        switch (cursor.next().word()) {
            case "PRIMARY" -> {
                cursor.require("KEY");
                cursor.takeIfExists();
                key(Key.Kind.PRIMARY, Key.PRIMARY_NAME);
            }
            case "UNIQUE" -> {
                cursor.takeOneOf(INDEX);
                key(Key.Kind.UNIQUE, name);
            }
            case "INDEX", "KEY" -> key(Key.Kind.PLAIN, "");
            case "FULLTEXT" -> {
                cursor.takeOneOf(INDEX);
                key(Key.Kind.FULLTEXT, "");
            }
            case "SPATIAL" -> {
                cursor.takeOneOf(INDEX);
                key(Key.Kind.SPATIAL, "");
            }
            case "FOREIGN" -> foreignKey(name);
            case "CHECK" -> {
                int count = text.checks().size();
                check(name);
                if (ifMissing) {
                    text.addIfMissing(text.checks().get(count));
                }
            }
            default -> throw new Unreadable("a constraint before " + cursor.rest());
        }
    }

    /**
     * {@code [CONSTRAINT [name]] CHECK (...)} at a column.
     *
     * @param implied the name where none is written, "" for one that is made
     */
    void ofColumn(String implied) {
        String name = implied;
        if (cursor.take("CONSTRAINT")) {
            name = cursor.isWord("CHECK") ? implied : cursor.name();
        }
        cursor.require("CHECK");
        check(name);
    }

    private void check(String name) {
        String expression = ExpressionReader.inParentheses(cursor);
        text.add(new Check(name, expression, enforced(cursor)));
    }

    /** {@code [NOT] ENFORCED}. */
    static boolean enforced(Cursor cursor) {
        boolean not = cursor.take("NOT", "ENFORCED");
        if (!not) {
            cursor.take("ENFORCED");
        }
        return !not;
    }

    private void key(Key.Kind kind, String constraint) {
        boolean ifMissing = cursor.takeIfExists();
        String name = constraint;
        if (!cursor.isSign('(') && !cursor.isWord("USING") && !cursor.isWord("TYPE")) {
            String own = cursor.name();
            name = kind == Key.Kind.PRIMARY ? name : own;
        }
        Key key = keyBehindName(kind, name);
        text.add(key);
        if (ifMissing) {
            text.addIfMissing(key);
        }
    }

    /** Parts and options of a key whose name has been read. */
    Key keyBehindName(Key.Kind kind, String name) {
        takeMethod();
        List<KeyPart> parts = parts();
        boolean visible = options();
        return new Key(kind, name, parts, visible);
    }

    private boolean takeMethod() {
        if (cursor.take("USING") || (cursor.isWord("TYPE") && cursor.take("TYPE"))) {
            cursor.skip();
            return true;
        }
        return false;
    }

    /** Parts in parentheses. */
    private List<KeyPart> parts() {
        List<KeyPart> parts = new ArrayList<>();
        cursor.requireSign('(');
        do {
            parts.add(part());
        } while (cursor.takeSign(','));
        cursor.requireSign(')');
        return parts;
    }

    private KeyPart part() {
        String column = "";
        int prefix = 0;
        String expression = "";
        if (cursor.isSign('(')) {
            expression = ExpressionReader.inParentheses(cursor);
        } else {
            column = cursor.name();
            if (cursor.takeSign('(')) {
                prefix = cursor.integer();
                cursor.requireSign(')');
            }
        }
        boolean descending = cursor.take("DESC");
        if (!descending) {
            cursor.take("ASC");
        }
        return new KeyPart(column, prefix, descending, expression);
    }

    /** Options of a key; whether it is visible. */
    private boolean options() {
        boolean visible = true;
        while (true) {
            switch (cursor.word()) {
                case "KEY_BLOCK_SIZE", "COMMENT", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE", "CLUSTERING" -> {
                    cursor.skip();
                    cursor.takeEquals();
                    cursor.skip();
                }
                case "USING", "TYPE" -> takeMethod();
                case "WITH" -> {
                    cursor.skip();
                    cursor.require("PARSER");
                    cursor.name();
                }
                case "VISIBLE", "INVISIBLE" -> visible = cursor.next().isWord("VISIBLE");
                case "IGNORED" -> {
                    cursor.skip();
                    visible = false;
                }
                case "NOT" -> {
                    cursor.skip();
                    cursor.require("IGNORED");
                }
                default -> {
                    return visible;
                }
            }
        }
    }

    private void foreignKey(String constraint) {
        cursor.require("KEY");
        cursor.takeIfExists();
        String index = cursor.isSign('(') ? "" : cursor.name();
        List<String> columns = cursor.names();
        cursor.require("REFERENCES");
        String name = constraint.isEmpty() ? index : constraint;
        List<KeyPart> parts = columns.stream().map(KeyPart::of).toList();
        ForeignKey read = referenced(constraint, columns);
        text.add(read);
        text.addSupport(new Key(Key.Kind.PLAIN, name, parts, true));
    }

    /** REFERENCES at a column: nothing in MySQL before 9.0. */
    void reference(String column) {
        cursor.require("REFERENCES");
        ForeignKey read = referenced("", List.of(column));
        if (session.mariadb() || session.version() >= INLINE_REFERENCES) {
            text.add(read);
            text.addSupport(new Key(Key.Kind.PLAIN, "", List.of(KeyPart.of(column)), true));
        }
    }

    private ForeignKey referenced(String name, List<String> columns) {
        TableName table = cursor.table();
        List<String> others = cursor.isSign('(') ? cursor.names() : List.of();
        String onDelete = ForeignKey.NO_ACTION;
        String onUpdate = ForeignKey.NO_ACTION;
        while (true) {
            if (cursor.take("MATCH")) {
                cursor.skip();
            } else if (cursor.take("ON", "DELETE")) {
                onDelete = action();
            } else if (cursor.areWords("ON", "UPDATE") && !isNow()) {
                cursor.take("ON", "UPDATE");
                onUpdate = action();
            } else {
                return new ForeignKey(name, columns, table, others, onDelete, onUpdate);
            }
        }
    }

    /** A column's own ON UPDATE, which follows its REFERENCES clause. */
    private boolean isNow() {
        return !Set.of("CASCADE", "RESTRICT", "SET", "NO").contains(cursor.wordAhead(2));
    }

    private String action() {
        String first = cursor.next().word();
        return switch (first) {
            case "SET", "NO" -> first + " " + cursor.next().word();
            default -> first;
        };
    }
}
