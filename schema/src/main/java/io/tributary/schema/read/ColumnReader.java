package io.tributary.schema.read;

import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.Generation;
import io.tributary.schema.definition.KeyPart;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlToken;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads a column after its name: type and attributes, up to the first token that does not belong to the column. */
final class ColumnReader {
    private static final Set<String> NOW = Set.of("CURRENT_TIMESTAMP", "NOW", "LOCALTIME", "LOCALTIMESTAMP");
    private static final Set<String> WITH_VALUE =
            Set.of("COMMENT", "COLUMN_FORMAT", "STORAGE", "ENGINE_ATTRIBUTE", "SECONDARY_ENGINE_ATTRIBUTE");

    private final Cursor cursor;
    private final ReadSession session;
    private final ConstraintReader constraints;
    private final TableText text;

    private String name;
    private RawType type;
    private Optional<Boolean> nullable = Optional.empty();
    private Optional<RawDefault> defaultValue = Optional.empty();
    private Optional<Generation> generation = Optional.empty();
    private boolean autoIncrement;
    private String onUpdate = "";
    private boolean visible = true;
    private boolean hasCheck;
    private final Set<TableKey.Kind> kinds = EnumSet.noneOf(TableKey.Kind.class);

    private ColumnReader(Cursor cursor, ReadSession session, TableText text) {
        this.cursor = cursor;
        this.session = session;
        this.constraints = new ConstraintReader(cursor, session, text);
        this.text = text;
    }

    /** Reads name and definition; keys and constraints in the column's definition go to {@code text}. */
    static RawColumn read(Cursor cursor, ReadSession session, TableText text) {
        return new ColumnReader(cursor, session, text).read();
    }

    private RawColumn read() {
        name = cursor.column();
        boolean serial = cursor.isWord("SERIAL");
        boolean mariadbJson = cursor.isWord("JSON") && session.mariadb();
        type = new TypeReader(cursor, session).read();
        if (serial) {
            serial();
        }
        while (attribute()) {
            // attributes follow one another
        }
        if (mariadbJson && !hasCheck) {
            String quoted = SqlNames.name(name.toLowerCase(Locale.ROOT));
            text.add(new Check(name, "json_valid(" + quoted + ")", true));
        }
        return new RawColumn(name, type, nullable, defaultValue, generation, autoIncrement, onUpdate, visible);
    }

    private void serial() {
        nullable = Optional.of(false);
        autoIncrement = true;
        addKey(TableKey.Kind.UNIQUE);
    }

    /** A repeated UNIQUE is one key; in MariaDB a column of the primary key has no other key. */
    private void addKey(TableKey.Kind kind) {
        boolean isServed = session.mariadb() && kinds.contains(TableKey.Kind.PRIMARY);
        if (isServed || !kinds.add(kind)) {
            return;
        }
        if (session.mariadb() && kinds.size() > 1) {
            text.removeLastKey();
        }
        text.add(new TableKey(kind, "", List.of(KeyPart.of(name)), true));
    }

    /** Reads one attribute; returns whether there was one. */
    private boolean attribute() {
        if (cursor.isAtEnd() || cursor.isSign(',') || cursor.isSign(')')) {
            return false;
        }
        if (cursor.isWordOf(WITH_VALUE)) {
            cursor.skip();
            cursor.acceptEquals();
            cursor.skip();
            return true;
        }
        switch (cursor.word()) {
            case "FIRST", "AFTER" -> {
                return false;
            }
            case "NOT" -> not();
            case "NULL" -> {
                cursor.skip();
                nullable = Optional.of(true);
            }
            case "DEFAULT" -> {
                cursor.skip();
                defaultValue = Optional.of(defaultClause(cursor, session));
            }
            case "ON" -> onUpdate();
            case "AUTO_INCREMENT" -> {
                cursor.skip();
                autoIncrement = true;
                nullable = Optional.of(false);
            }
            case "SERIAL" -> {
                cursor.skip();
                cursor.require("DEFAULT");
                cursor.require("VALUE");
                serial();
            }
            default -> {
                return keyOrCollation() || furtherAttribute();
            }
        }
        return true;
    }

    private boolean keyOrCollation() {
        switch (cursor.word()) {
            case "UNIQUE" -> {
                cursor.skip();
                cursor.accept("KEY");
                addKey(TableKey.Kind.UNIQUE);
            }
            case "PRIMARY", "KEY" -> {
                cursor.accept("PRIMARY");
                cursor.accept("KEY");
                addKey(TableKey.Kind.PRIMARY);
            }
            case "COLLATE" -> {
                cursor.skip();
                cursor.acceptEquals();
                type = type.withCollation(cursor.next().value());
            }
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean furtherAttribute() {
        switch (cursor.word()) {
            case "GENERATED", "AS" -> generation();
            case "VISIBLE", "INVISIBLE" -> visible = cursor.next().isWord("VISIBLE");
            case "SRID", "REF_SYSTEM_ID" -> {
                cursor.skip();
                cursor.acceptEquals();
                long srid = cursor.number();
                type = session.mariadb() ? type : type.withSrid(srid); // MariaDB does not show it for a column
            }
            case "CONSTRAINT", "CHECK" -> {
                constraints.ofColumn(session.mariadb() ? name : "");
                hasCheck = true;
            }
            case "WITHOUT" -> {
                cursor.skip();
                cursor.require("SYSTEM");
                cursor.require("VERSIONING");
            }
            case "REFERENCES" -> constraints.reference(name);
            default -> {
                // the end of an item in ALTER TABLE: PARTITION BY, or an option without a comma before it
                if (cursor.areWords("PARTITION", "BY") || cursor.areWords("REMOVE", "PARTITIONING")) {
                    return false;
                }
                throw new UnreadableStatementException("an attribute of a column at " + cursor.rest());
            }
        }
        return true;
    }

    private void not() {
        cursor.skip();
        if (cursor.accept("SECONDARY")) {
            return;
        }
        cursor.require("NULL");
        nullable = Optional.of(false);
    }

    private void onUpdate() {
        cursor.skip();
        cursor.require("UPDATE");
        onUpdate = now(cursor);
    }

    private void generation() {
        if (cursor.accept("GENERATED")) {
            cursor.require("ALWAYS");
        }
        cursor.require("AS");
        if (cursor.isWord("ROW")) {
            throw new UnreadableStatementException("system versioning");
        }
        String expression = ExpressionReader.inParentheses(cursor);
        boolean stored = cursor.accept("STORED") || cursor.accept("PERSISTENT");
        if (!stored) {
            cursor.accept("VIRTUAL");
        }
        generation = Optional.of(new Generation(expression, stored));
    }

    /** Reads the clause after DEFAULT. */
    static RawDefault defaultClause(Cursor cursor, ReadSession session) {
        if (cursor.accept("NULL")) {
            return RawDefault.of(Default.NULL);
        }
        if (cursor.isWordOf(NOW)) {
            return RawDefault.of(new Default.Expression(now(cursor)));
        }
        if (cursor.isSign('(')) {
            Optional<RawDefault> constant = session.mariadb() ? constantInParentheses(cursor) : Optional.empty();
            return constant.orElseGet(
                    () -> RawDefault.of(new Default.Expression(ExpressionReader.inParentheses(cursor))));
        }
        boolean call = cursor.isName() && cursor.isSignAhead(1, '(');
        boolean column = !cursor.isAtEnd() && cursor.token().kind() == SqlToken.Kind.NAME;
        if (session.mariadb() && (call || column)) {
            return RawDefault.of(new Default.Expression(ExpressionReader.bare(cursor)));
        }
        return RawDefault.of(Constant.read(cursor));
    }

    /** MariaDB treats a constant in parentheses as a constant. */
    private static Optional<RawDefault> constantInParentheses(Cursor cursor) {
        int before = cursor.at();
        int open = 0;
        while (cursor.acceptSign('(')) {
            open++;
        }
        try {
            RawDefault value =
                    cursor.accept("NULL") ? RawDefault.of(Default.NULL) : RawDefault.of(Constant.read(cursor));
            while (open > 0 && cursor.acceptSign(')')) {
                open--;
            }
            if (open == 0) {
                return Optional.of(value);
            }
        } catch (UnreadableStatementException operation) {
            // an expression
        }
        cursor.goTo(before);
        return Optional.empty();
    }

    /** {@code CURRENT_TIMESTAMP} with its digits, for each of its names. */
    private static String now(Cursor cursor) {
        if (!cursor.acceptOneOf(NOW)) {
            throw new UnreadableStatementException("expected CURRENT_TIMESTAMP at " + cursor.rest());
        }
        int digits = 0;
        if (cursor.acceptSign('(')) {
            digits = cursor.isSign(')') ? 0 : cursor.integer();
            cursor.requireSign(')');
        }
        return digits == 0 ? "CURRENT_TIMESTAMP" : "CURRENT_TIMESTAMP(" + digits + ")";
    }
}
