package io.tributary.serve.select;

import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.serve.schema.SqlText;
import io.tributary.serve.schema.StatementWhitelist;
import io.tributary.serve.select.TableSelect.Condition;
import io.tributary.serve.select.TableSelect.Inner;
import io.tributary.serve.select.TableSelect.Item;
import io.tributary.serve.select.TableSelect.Kind;
import io.tributary.serve.sql.SqlReader;
import io.tributary.serve.sql.SqlRefusal;
import io.tributary.serve.sql.StatementToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads the SELECTs with which tools copy tables: those of Debezium, Flink CDC and mysqldump. Every other form is refused. */
public final class TableSelectParser {
    /** As many columns as a table of MySQL may have. */
    private static final int MOST_ITEMS = 4096;

    /** As many columns as a key of MySQL may have. */
    private static final int MOST_KEYS = 16;

    private static final String EXPECTED =
            "expected SELECT * or columns FROM one table [WHERE condition] [ORDER BY columns]"
                    + " [LIMIT n], or MIN, MAX and COUNT of a table, or MIN and MAX of such a SELECT with ORDER BY and LIMIT; found";

    /** Words that would make the answers of several members something else than parts of one answer. */
    private static final Set<String> OTHER_CLAUSES =
            Set.of("SELECT", "GROUP", "HAVING", "UNION", "WINDOW", "EXCEPT", "INTERSECT", "VALUES", "FROM", "OVER");

    /** Functions whose values would be those of the session on the shard. */
    private static final Set<String> OF_SESSION = Set.of("DATABASE", "SCHEMA", "VERSION", "USER", "CURRENT_USER");

    private static final char REPLACED = '\ufffd';

    private final SqlReader reader;
    private final String schema;

    private TableSelectParser(SqlReader reader, String schema) {
        this.reader = reader;
        this.schema = schema;
    }

    /**
     * Reads what follows SELECT, up to the end.
     *
     * @param schema the schema in use; null for none
     * @throws SqlRefusal 1235 for other forms, 1046 when no schema is in use and none is named
     */
    public static TableSelect parse(SqlReader reader, String schema) {
        return new TableSelectParser(reader, schema).select();
    }

    private TableSelect select() {
        List<Item> items = items();
        require(reader.accept("FROM"), "FROM");
        if (!reader.accept("(")) {
            Inner inner = inner(items);
            require(reader.atEnd(), "the end");
            return new TableSelect(List.of(), inner);
        }
        require(reader.accept("SELECT"), "SELECT");
        List<Item> innerItems = items();
        require(reader.accept("FROM"), "FROM");
        Inner inner = inner(innerItems);
        require(reader.accept(")"), ")");
        boolean named = reader.accept("AS");
        require(reader.peek().isName(), named ? "a name" : "AS");
        reader.next();
        require(reader.atEnd(), "the end");
        TableSelect select = new TableSelect(items, inner);
        check(select);
        return select;
    }

    private void check(TableSelect select) {
        Inner inner = select.inner();
        boolean isOfColumns = !inner.items().isEmpty() && !inner.isAggregate();
        boolean isNested =
                isOfColumns && !inner.order().isEmpty() && inner.limit().isPresent();
        for (Item item : select.outer()) {
            boolean isKnown =
                    inner.items().stream().anyMatch(each -> each.argument().equalsIgnoreCase(item.argument()));
            require(isNested && isKnown && item.kind() != Kind.COLUMN && item.kind() != Kind.COUNT, "MAX of a column");
        }
        require(!select.outer().isEmpty(), "MAX of a column");
    }

    /** Reads the items; empty for {@code *}. */
    private List<Item> items() {
        reader.accept("SQL_NO_CACHE");
        if (reader.accept("*")) {
            return List.of();
        }
        List<Item> items = new ArrayList<>();
        do {
            items.add(item());
        } while (reader.accept(","));
        require(items.size() <= MOST_ITEMS, "at most " + MOST_ITEMS + " columns");
        boolean isMixed = items.stream()
                .anyMatch(item -> item.isAggregate() != items.get(0).isAggregate());
        require(!isMixed, "columns only, or aggregates only");
        require(!items.get(0).isAggregate() || items.size() <= MOST_KEYS, "at most " + MOST_KEYS + " aggregates");
        return items;
    }

    private Item item() {
        for (Kind kind : new Kind[] {Kind.MIN, Kind.MAX, Kind.COUNT}) {
            if (reader.accept(kind.name(), "(")) {
                boolean isCount = kind == Kind.COUNT
                        && (reader.peek().is("*") || reader.peek().text().equals("1"));
                String argument = isCount ? reader.next().text() : column();
                require(reader.accept(")"), ")");
                return new Item(kind, argument);
            }
        }
        return new Item(Kind.COLUMN, column());
    }

    /** A column, whose table may be named too. */
    private String column() {
        String name = name();
        while (reader.accept(".")) {
            name = name();
        }
        return name;
    }

    private String name() {
        StatementToken token = reader.peek();
        require(
                token.isName()
                                && !Character.isDigit(
                                        token.text().isEmpty()
                                                ? '0'
                                                : token.text().charAt(0))
                        || token.kind() == StatementToken.Kind.QUOTED_NAME,
                "a column or table");
        reader.next();
        return token.text();
    }

    private Inner inner(List<Item> items) {
        TableName table = table();
        Condition where = reader.accept("WHERE") ? condition() : Condition.NONE;
        List<SortKey> order = new ArrayList<>();
        if (reader.accept("ORDER", "BY")) {
            do {
                String column = column();
                boolean isDescending = reader.accept("DESC");
                if (!isDescending) {
                    reader.accept("ASC");
                }
                order.add(new SortKey(column, isDescending));
            } while (reader.accept(","));
        }
        require(order.size() <= MOST_KEYS, "at most " + MOST_KEYS + " columns after ORDER BY");
        OptionalLong limit = reader.accept("LIMIT") ? OptionalLong.of(reader.number()) : OptionalLong.empty();
        Inner inner = new Inner(table, items, where, order, limit);
        require(!inner.isAggregate() || order.isEmpty() && limit.isEmpty(), "no ORDER BY and no LIMIT with aggregates");
        return inner;
    }

    private TableName table() {
        String first = name();
        if (reader.accept(".")) {
            return new TableName(first, name());
        }
        if (schema == null) {
            throw new SqlRefusal(MysqlError.ER_NO_DB_ERROR, "No database selected");
        }
        return new TableName(schema, first);
    }

    private Condition condition() {
        List<StatementToken> tokens = new ArrayList<>();
        int depth = 0;
        while (!reader.atEnd() && !(depth == 0 && (reader.peek().is(")") || isAfterCondition()))) {
            StatementToken token = reader.next();
            depth += token.is("(") ? 1 : token.is(")") ? -1 : 0;
            boolean isWord = token.kind() == StatementToken.Kind.WORD;
            boolean isOther = isWord && (OTHER_CLAUSES.contains(token.upper()) || isOfSession(token));
            if (isOther || token.text().indexOf(REPLACED) >= 0) {
                throw refused(isOther ? token.text() : "a text that is not UTF-8");
            }
            tokens.add(token);
        }
        StatementWhitelist.check(tokens);
        require(!tokens.isEmpty(), "a condition");
        Set<String> words = tokens.stream()
                .filter(StatementToken::isName)
                .map(token -> token.text().toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return new Condition(SqlText.tokens(tokens), words);
    }

    private boolean isOfSession(StatementToken word) {
        return OF_SESSION.contains(word.upper()) && (reader.peek().is("(") || word.is("CURRENT_USER"));
    }

    private boolean isAfterCondition() {
        return reader.peek().is("ORDER") || reader.peek().is("LIMIT");
    }

    private void require(boolean isSo, String expected) {
        if (!isSo) {
            throw refused("'" + reader.nextText() + "' in place of " + expected);
        }
    }

    private static SqlRefusal refused(String found) {
        return SqlRefusal.unsupported("SELECT on tables: " + EXPECTED + " " + found);
    }
}
