package io.tributary.schema.read;

import io.tributary.common.value.TableName;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.KeyReference;
import io.tributary.schema.definition.TableKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads keys and constraints, in a column's definition and outside of it. */
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

    /** Whether a key or constraint begins here, not a column. */
    static boolean isNext(Cursor cursor) {
        return cursor.isWordOf(BEGIN);
    }

    /** Reads a key or constraint outside of a column's definition. */
    void read() {
        String name = "";
        boolean ifMissing = false;
        if (cursor.accept("CONSTRAINT")) {
            ifMissing = cursor.acceptIfExists();
            name = cursor.isWordOf(KINDS) ? "" : cursor.name();
        }
        switch (cursor.next().word()) {
            case "PRIMARY" -> {
                cursor.require("KEY");
                cursor.acceptIfExists();
                key(TableKey.Kind.PRIMARY, TableKey.PRIMARY_NAME);
            }
            case "UNIQUE" -> {
                cursor.acceptOneOf(INDEX);
                key(TableKey.Kind.UNIQUE, name);
            }
            case "INDEX", "KEY" -> key(TableKey.Kind.PLAIN, "");
            case "FULLTEXT" -> {
                cursor.acceptOneOf(INDEX);
                key(TableKey.Kind.FULLTEXT, "");
            }
            case "SPATIAL" -> {
                cursor.acceptOneOf(INDEX);
                key(TableKey.Kind.SPATIAL, "");
            }
            case "FOREIGN" -> foreignKey(name);
            case "CHECK" -> {
                int count = text.checks().size();
                check(name);
                if (ifMissing) {
                    text.addIfMissing(text.checks().get(count));
                }
            }
            default -> throw new UnreadableStatementException("a constraint before " + cursor.rest());
        }
    }

    /**
     * {@code [CONSTRAINT [name]] CHECK (...)} in a column's definition.
     *
     * @param implied the name if none is written, "" for a generated name
     */
    void ofColumn(String implied) {
        String name = implied;
        if (cursor.accept("CONSTRAINT")) {
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
        boolean not = cursor.accept("NOT", "ENFORCED");
        if (!not) {
            cursor.accept("ENFORCED");
        }
        return !not;
    }

    private void key(TableKey.Kind kind, String constraint) {
        boolean ifMissing = cursor.acceptIfExists();
        String name = constraint;
        if (!cursor.isSign('(') && !cursor.isWord("USING") && !cursor.isWord("TYPE")) {
            String own = cursor.name();
            name = kind == TableKey.Kind.PRIMARY ? name : own;
        }
        TableKey key = keyAfterName(kind, name);
        text.add(key);
        if (ifMissing) {
            text.addIfMissing(key);
        }
    }

    /** Reads parts and options of a key whose name has been read. */
    TableKey keyAfterName(TableKey.Kind kind, String name) {
        acceptMethod();
        List<KeyPart> parts = parts();
        boolean visible = options();
        return new TableKey(kind, name, parts, visible);
    }

    private boolean acceptMethod() {
        if (cursor.accept("USING") || (cursor.isWord("TYPE") && cursor.accept("TYPE"))) {
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
        } while (cursor.acceptSign(','));
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
            if (cursor.acceptSign('(')) {
                prefix = cursor.integer();
                cursor.requireSign(')');
            }
        }
        boolean descending = cursor.accept("DESC");
        if (!descending) {
            cursor.accept("ASC");
        }
        return new KeyPart(column, prefix, descending, expression);
    }

    /** Reads options of a key; returns whether it is visible. */
    private boolean options() {
        boolean visible = true;
        while (true) {
            switch (cursor.word()) {
                case "KEY_BLOCK_SIZE", "COMMENT", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE", "CLUSTERING" -> {
                    cursor.skip();
                    cursor.acceptEquals();
                    cursor.skip();
                }
                case "USING", "TYPE" -> acceptMethod();
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
        cursor.acceptIfExists();
        String index = cursor.isSign('(') ? "" : cursor.name();
        List<String> columns = cursor.names();
        cursor.require("REFERENCES");
        String name = constraint.isEmpty() ? index : constraint;
        List<KeyPart> parts = columns.stream().map(KeyPart::of).toList();
        ForeignKey read = referenced(constraint, columns);
        text.add(read);
        text.addSupport(new TableKey(TableKey.Kind.PLAIN, name, parts, true));
    }

    /** Reads REFERENCES in a column's definition, which MySQL before 9.0 ignores. */
    void reference(String column) {
        cursor.require("REFERENCES");
        ForeignKey read = referenced("", List.of(column));
        if (session.mariadb() || session.version() >= INLINE_REFERENCES) {
            text.add(read);
            text.addSupport(new TableKey(TableKey.Kind.PLAIN, "", List.of(KeyPart.of(column)), true));
        }
    }

    private ForeignKey referenced(String name, List<String> columns) {
        TableName table = cursor.table();
        List<String> others = cursor.isSign('(') ? cursor.names() : List.of();
        String onDelete = ForeignKey.NO_ACTION;
        String onUpdate = ForeignKey.NO_ACTION;
        while (true) {
            if (cursor.accept("MATCH")) {
                cursor.skip();
            } else if (cursor.accept("ON", "DELETE")) {
                onDelete = action();
            } else if (cursor.areWords("ON", "UPDATE") && !isNow()) {
                cursor.accept("ON", "UPDATE");
                onUpdate = action();
            } else {
                return new ForeignKey(name, columns, new KeyReference(table, others, onDelete, onUpdate));
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
