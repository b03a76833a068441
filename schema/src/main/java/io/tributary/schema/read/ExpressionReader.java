package io.tributary.schema.read;

import io.tributary.schema.sql.SqlNames;
import io.tributary.schema.sql.SqlToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Converts an expression to the form in which a server shows it: parentheses around each operation, functions by one of their names,
 * no character set introducers before strings. Precedence is the manual's ("Operator Precedence").
 */
final class ExpressionReader {
    private static final Set<String> INTERVAL_FUNCTIONS = Set.of("DATE_ADD", "ADDDATE", "DATE_SUB", "SUBDATE");
    private static final Set<String> WITHOUT_PARENTHESES = Set.of(
            "CURRENT_DATE",
            "CURRENT_TIME",
            "CURRENT_TIMESTAMP",
            "LOCALTIME",
            "LOCALTIMESTAMP",
            "CURRENT_USER",
            "UTC_DATE",
            "UTC_TIME",
            "UTC_TIMESTAMP");
    private static final Map<String, String> SAME_FUNCTIONS = Map.ofEntries(
            Map.entry("substring", "substr"),
            Map.entry("mid", "substr"),
            Map.entry("lcase", "lower"),
            Map.entry("ucase", "upper"),
            Map.entry("current_date", "curdate"),
            Map.entry("current_time", "curtime"),
            Map.entry("current_timestamp", "now"),
            Map.entry("localtime", "now"),
            Map.entry("localtimestamp", "now"),
            Map.entry("character_length", "char_length"),
            Map.entry("octet_length", "length"),
            Map.entry("power", "pow"),
            Map.entry("ceil", "ceiling"),
            Map.entry("day", "dayofmonth"),
            Map.entry("sha1", "sha"),
            Map.entry("geomcollection", "geometrycollection"));
    private static final Set<String> NEGATED = Set.of("IN", "BETWEEN", "LIKE", "REGEXP", "RLIKE");
    private static final Set<String> PREDICATES = Set.of("IN", "BETWEEN", "LIKE", "REGEXP", "RLIKE", "MEMBER");
    private static final Map<String, String> SAME_SIGNS = Map.of("!=", "<>", "&&", "and");

    /** Deeper expressions are kept as they are written. */
    private static final int DEEPEST = 200;

    private final Cursor cursor;
    private int depth;

    private ExpressionReader(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Reads the expression in the parentheses here, including the parentheses. */
    static String inParentheses(Cursor cursor) {
        int before = cursor.at();
        cursor.requireSign('(');
        try {
            String text = strip(new ExpressionReader(cursor).or().print());
            cursor.requireSign(')');
            return text;
        } catch (UnreadableStatementException unknown) {
            cursor.goTo(before);
            return asWritten(cursor);
        }
    }

    /** A function or column without parentheses around it, as MariaDB allows after DEFAULT. */
    static String bare(Cursor cursor) {
        return strip(new ExpressionReader(cursor).primary().print());
    }

    /** The tokens in the parentheses here, unchanged, for expressions that this class does not know. */
    private static String asWritten(Cursor cursor) {
        int from = cursor.at();
        cursor.skipParentheses();
        int end = cursor.at();
        cursor.goTo(from + 1);
        StringBuilder text = new StringBuilder();
        while (cursor.at() < end - 1) {
            boolean adjacent = cursor.isAdjacent();
            SqlToken token = cursor.next();
            text.append(text.length() == 0 || adjacent ? "" : " ").append(written(token));
        }
        cursor.goTo(end);
        return text.toString();
    }

    private static String written(SqlToken token) {
        return switch (token.kind()) {
            case LITERAL -> SqlNames.literal(token.value());
            case NAME -> name(token.value());
            case WORD, SIGN -> token.value();
        };
    }

    /** Removes the parentheses around the whole expression. */
    private static String strip(String text) {
        if (!text.startsWith("(") || !text.endsWith(")")) {
            return text;
        }
        int depth = 0;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                i += c == '\\' && quote == '\'' ? 1 : 0;
                quote = c == quote ? 0 : quote;
            } else if (c == '\'' || c == '`') {
                quote = c;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0 && i < text.length() - 1) {
                return text;
            }
        }
        return text.substring(1, text.length() - 1);
    }

    private static String name(String name) {
        return SqlNames.name(name.toLowerCase(Locale.ROOT));
    }

    private ExpressionNode or() {
        if (++depth > DEEPEST) {
            throw new UnreadableStatementException("an expression that is too deep");
        }
        ExpressionNode left = xor();
        while (cursor.accept("OR") || (!cursor.session().isPipesConcat() && acceptSigns("||"))) {
            left = ExpressionNode.infix("or", left.asTruth(), xor().asTruth());
        }
        depth--;
        return left;
    }

    private ExpressionNode xor() {
        ExpressionNode left = and();
        while (cursor.accept("XOR")) {
            left = ExpressionNode.infix("xor", left.asTruth(), and().asTruth());
        }
        return left;
    }

    private ExpressionNode and() {
        ExpressionNode left = not();
        while (cursor.accept("AND") || acceptSigns("&&")) {
            left = ExpressionNode.infix("and", left.asTruth(), not().asTruth());
        }
        return left;
    }

    private ExpressionNode not() {
        int count = 0;
        while (cursor.accept("NOT")) {
            count++;
        }
        ExpressionNode made = comparison();
        for (int i = 0; i < count; i++) {
            made = made.negated();
        }
        return made;
    }

    private ExpressionNode comparison() {
        ExpressionNode left = predicate();
        while (true) {
            if (cursor.accept("IS")) {
                left = is(left);
                continue;
            }
            String sign = comparisonSign();
            if (sign.isEmpty()) {
                return left;
            }
            left = ExpressionNode.infix(SAME_SIGNS.getOrDefault(sign, sign), left, predicate());
        }
    }

    private ExpressionNode is(ExpressionNode left) {
        String not = cursor.accept("NOT") ? "not " : "";
        String value = cursor.next().word().toLowerCase(Locale.ROOT);
        if (value.equals("null")) {
            return ExpressionNode.truth(left, " is " + not + "null");
        }
        return ExpressionNode.truth(left.asTruth(), " is " + not + value);
    }

    private String comparisonSign() {
        for (String sign : List.of("<=>", "<=", ">=", "<>", "!=", "=", "<", ">")) {
            boolean shift = (sign.equals("<") && cursor.isSignAhead(1, '<'))
                    || (sign.equals(">") && cursor.isSignAhead(1, '>'));
            if (!shift && acceptSigns(sign)) {
                return sign;
            }
        }
        return "";
    }

    private boolean acceptSigns(String signs) {
        for (int i = 0; i < signs.length(); i++) {
            if (!cursor.isSignAhead(i, signs.charAt(i))) {
                return false;
            }
        }
        for (int i = 0; i < signs.length(); i++) {
            cursor.skip();
        }
        return true;
    }

    /** MariaDB allows several predicates in a row. */
    private ExpressionNode predicate() {
        ExpressionNode made = bitOr();
        while (PREDICATES.contains(cursor.word()) || isNegatedNext()) {
            made = predicate(made);
        }
        return made;
    }

    private boolean isNegatedNext() {
        return cursor.isWord("NOT") && NEGATED.contains(cursor.wordAhead(1));
    }

    /** The predicate that follows an operand. */
    private ExpressionNode predicate(ExpressionNode left) {
        boolean not = isNegatedNext();
        if (not) {
            cursor.skip();
        }
        ExpressionNode made = left;
        if (cursor.accept("IN")) {
            List<Object> parts = new ArrayList<>(List.of(left, " in ", "("));
            List<ExpressionNode> values = arguments();
            if (values.size() == 1) {
                return ExpressionNode.infix(not ? "<>" : "=", left, values.get(0));
            }
            for (int i = 0; i < values.size(); i++) {
                parts.add(i == 0 ? "" : ",");
                parts.add(values.get(i));
            }
            parts.add(")");
            made = ExpressionNode.truth(parts.toArray());
        } else if (cursor.accept("BETWEEN")) {
            ExpressionNode low = bitOr();
            cursor.require("AND");
            made = ExpressionNode.truth(left, " between ", low, " and ", predicate());
        } else if (cursor.accept("LIKE")) {
            ExpressionNode pattern = bitOr();
            made = cursor.accept("ESCAPE")
                    ? ExpressionNode.truth(left, " like ", pattern, " escape ", bitOr())
                    : ExpressionNode.infix("like", left, pattern);
        } else if (cursor.accept("REGEXP") || cursor.accept("RLIKE")) {
            made = ExpressionNode.function("regexp_like", List.of(left, bitOr()));
        } else if (cursor.accept("MEMBER")) {
            cursor.accept("OF");
            cursor.requireSign('(');
            made = ExpressionNode.truth(left, " member of (", or(), ")");
            cursor.requireSign(')');
        }
        return not ? made.negated() : made;
    }

    private ExpressionNode bitOr() {
        ExpressionNode left = bitAnd();
        while (cursor.isSign('|') && !cursor.isSignAhead(1, '|')) {
            cursor.skip();
            left = ExpressionNode.infix("|", left, bitAnd());
        }
        return left;
    }

    private ExpressionNode bitAnd() {
        ExpressionNode left = shift();
        while (cursor.isSign('&') && !cursor.isSignAhead(1, '&')) {
            cursor.skip();
            left = ExpressionNode.infix("&", left, shift());
        }
        return left;
    }

    private ExpressionNode shift() {
        ExpressionNode left = sum();
        while (true) {
            if (acceptSigns("<<")) {
                left = ExpressionNode.infix("<<", left, sum());
            } else if (acceptSigns(">>")) {
                left = ExpressionNode.infix(">>", left, sum());
            } else {
                return left;
            }
        }
    }

    private ExpressionNode sum() {
        ExpressionNode left = product();
        while (cursor.isSign('+') || cursor.isSign('-')) {
            String sign = cursor.next().value();
            left = cursor.isWord("INTERVAL") ? interval(left, sign) : ExpressionNode.infix(sign, left, product());
        }
        return left;
    }

    /** {@code INTERVAL n unit} added to or taken from a date. */
    private ExpressionNode interval(ExpressionNode date, String sign) {
        cursor.require("INTERVAL");
        ExpressionNode count = or();
        return ExpressionNode.value(
                date,
                " " + sign + " interval ",
                count,
                " " + cursor.next().word().toLowerCase(Locale.ROOT));
    }

    private ExpressionNode product() {
        ExpressionNode left = power();
        while (true) {
            if (cursor.acceptSign('*')) {
                left = ExpressionNode.infix("*", left, power());
            } else if (cursor.acceptSign('/')) {
                left = ExpressionNode.infix("/", left, power());
            } else if (cursor.acceptSign('%') || cursor.accept("MOD")) {
                left = ExpressionNode.infix("%", left, power());
            } else if (cursor.accept("DIV")) {
                left = ExpressionNode.infix("DIV", left, power());
            } else {
                return left;
            }
        }
    }

    private ExpressionNode power() {
        ExpressionNode left = concatenation();
        while (cursor.acceptSign('^')) {
            left = ExpressionNode.infix("^", left, concatenation());
        }
        return left;
    }

    private ExpressionNode concatenation() {
        ExpressionNode left = unary();
        while (cursor.session().isPipesConcat() && acceptSigns("||")) {
            left = ExpressionNode.function("concat", List.of(left, unary()));
        }
        return left;
    }

    private ExpressionNode unary() {
        if (++depth > DEEPEST) {
            throw new UnreadableStatementException("an expression that is too deep");
        }
        ExpressionNode made = signed();
        depth--;
        return made;
    }

    private ExpressionNode signed() {
        if (cursor.acceptSign('-')) {
            return ExpressionNode.prefix("-", unary());
        }
        if (cursor.acceptSign('+')) {
            return unary();
        }
        if (cursor.acceptSign('~')) {
            return ExpressionNode.prefix("~", unary());
        }
        if (cursor.isSign('!') && !cursor.isSignAhead(1, '=')) {
            cursor.skip();
            return unary().negated();
        }
        if (cursor.accept("BINARY")) {
            return ExpressionNode.value("cast(", unary(), " as binary)");
        }
        ExpressionNode operand = primary();
        while (cursor.accept("COLLATE")) {
            operand = ExpressionNode.value(
                    operand, " collate " + cursor.nameOrLiteral().toLowerCase(Locale.ROOT));
        }
        return operand;
    }

    private ExpressionNode primary() {
        if (cursor.isSign('(')) {
            return parentheses();
        }
        if (cursor.isSign('.')) {
            return number();
        }
        SqlToken token = cursor.token();
        if (token.isLiteral()) {
            return string();
        }
        if (!token.canBeName()) {
            throw new UnreadableStatementException("expected an operand at " + cursor.rest());
        }
        if (token.kind() == SqlToken.Kind.WORD
                && Character.isDigit(token.value().charAt(0))
                && isNumber(token.value())) {
            return number();
        }
        if (token.kind() == SqlToken.Kind.WORD) {
            return word(token);
        }
        return column();
    }

    /** A number consists of digits only, or of hexadecimal or binary digits; a column such as {@code 1a} does not. */
    private static boolean isNumber(String word) {
        return word.matches("(?i)[0-9]+(e[0-9]*)?|0x[0-9a-f]+|0b[01]+");
    }

    private ExpressionNode parentheses() {
        cursor.requireSign('(');
        ExpressionNode inner = or();
        if (cursor.isSign(',')) {
            throw new UnreadableStatementException("a row");
        }
        cursor.requireSign(')');
        return inner;
    }

    private ExpressionNode number() {
        return ExpressionNode.text(NumberText.read(cursor).toLowerCase(Locale.ROOT));
    }

    /** Adjacent strings are one string. */
    private ExpressionNode string() {
        StringBuilder value = new StringBuilder(cursor.literal());
        while (cursor.isLiteral()) {
            value.append(cursor.literal());
        }
        return arrows(ExpressionNode.text(SqlNames.literal(value.toString())));
    }

    private ExpressionNode word(SqlToken token) {
        String word = token.word();
        boolean call = cursor.isSignAhead(1, '(');
        if (word.startsWith("_") && Constant.isIntroducer(word) && !call) {
            cursor.skip();
            return cursor.isLiteral() ? introduced(word) : primary();
        }
        return switch (word) {
            case "NULL" -> constant("NULL");
            case "TRUE", "FALSE" -> truth(word);
            case "CASE" -> choice();
            case "CAST", "CONVERT" -> call ? cast() : column();
            case "INTERVAL" -> call ? function(token) : intervalFirst();
            case "DATE", "TIME", "TIMESTAMP" -> dated(token);
            case "N", "X", "B" -> prefixed(word);
            default -> call || WITHOUT_PARENTHESES.contains(word) ? function(token) : column();
        };
    }

    /** MariaDB shows it as a number. */
    private ExpressionNode truth(String word) {
        return cursor.session().mariadb()
                ? constant(word.equals("TRUE") ? "1" : "0")
                : constant(word.toLowerCase(Locale.ROOT));
    }

    private ExpressionNode constant(String text) {
        cursor.skip();
        return ExpressionNode.text(text);
    }

    /** Omits an introducer that does not change the string (UTF-8, or ASCII characters only), as the server does; keeps any other. */
    private ExpressionNode introduced(String word) {
        ExpressionNode string = string();
        boolean ofUtf8 = Set.of("_UTF8MB4", "_UTF8MB3", "_UTF8").contains(word);
        String text = string.print();
        boolean plain = text.chars().allMatch(c -> c < 0x80) && !word.startsWith("_U") && !word.equals("_BINARY");
        return ofUtf8 || plain ? string : ExpressionNode.text(word.toLowerCase(Locale.ROOT) + text);
    }

    private ExpressionNode prefixed(String word) {
        if (!cursor.isLiteralAhead()) {
            return cursor.isSignAhead(1, '(') ? function(cursor.token()) : column();
        }
        cursor.skip();
        return switch (word) {
            case "N" -> string();
            case "X" -> ExpressionNode.text("0x" + cursor.literal().toLowerCase(Locale.ROOT));
            default -> ExpressionNode.text("0x" + Constant.hexOfBits(cursor.literal()));
        };
    }

    private ExpressionNode dated(SqlToken token) {
        if (cursor.isLiteralAhead()) {
            cursor.skip();
            return ExpressionNode.text(token.word() + string().print());
        }
        if (!cursor.isSignAhead(1, '(')) {
            return column();
        }
        if (token.isWord("DATE")) {
            cursor.skip();
            return ExpressionNode.function(
                    "cast", List.of(ExpressionNode.text(arguments().get(0).print() + " as date")));
        }
        return function(token);
    }

    private ExpressionNode column() {
        return arrows(ExpressionNode.text(name(cursor.column())));
    }

    /** {@code ->} and {@code ->>} after a column. */
    private ExpressionNode arrows(ExpressionNode left) {
        if (!cursor.isSign('-') || !cursor.isSignAhead(1, '>')) {
            return left;
        }
        cursor.skip();
        cursor.skip();
        boolean unquoted = cursor.acceptSign('>');
        ExpressionNode path = ExpressionNode.text(SqlNames.literal(cursor.literal()));
        ExpressionNode extract = ExpressionNode.function("json_extract", List.of(left, path));
        return unquoted ? ExpressionNode.function("json_unquote", List.of(extract)) : extract;
    }

    private ExpressionNode choice() {
        cursor.skip();
        List<Object> parts = new ArrayList<>(List.of("case"));
        if (!cursor.isWord("WHEN")) {
            parts.add(" ");
            parts.add(or());
        }
        while (cursor.accept("WHEN")) {
            parts.add(" when ");
            parts.add(or());
            cursor.require("THEN");
            parts.add(" then ");
            parts.add(or());
        }
        if (cursor.accept("ELSE")) {
            parts.add(" else ");
            parts.add(or());
        }
        cursor.require("END");
        parts.add(" end");
        return ExpressionNode.value(parts.toArray());
    }

    private ExpressionNode cast() {
        boolean convert = cursor.next().isWord("CONVERT");
        cursor.requireSign('(');
        ExpressionNode value = or();
        if (convert && cursor.accept("USING")) {
            ExpressionNode made = ExpressionNode.text("convert(" + value.print() + " using "
                    + cursor.nameOrLiteral().toLowerCase(Locale.ROOT) + ")");
            cursor.requireSign(')');
            return made;
        }
        if (!cursor.acceptSign(',')) {
            cursor.require("AS");
        }
        ExpressionNode made = ExpressionNode.text("cast(" + value.print() + " as " + castType() + ")");
        cursor.requireSign(')');
        return made;
    }

    /** The type of a cast; a CHAR without a character set is utf8mb4. */
    private String castType() {
        StringBuilder type = new StringBuilder();
        while (!cursor.isSign(')')) {
            if (cursor.isSign('(')) {
                cursor.skip();
                type.append('(').append(cursor.name());
                type.append(cursor.acceptSign(',') ? "," + cursor.name() : "").append(')');
                cursor.requireSign(')');
                continue;
            }
            String word = cursor.accept("CHARACTER", "SET")
                    ? "CHARSET"
                    : cursor.name().toUpperCase(Locale.ROOT);
            boolean ofSign = word.equals("INTEGER") || word.equals("INT");
            type.append(ofSign ? "" : (type.length() == 0 ? "" : " ") + word.toLowerCase(Locale.ROOT));
        }
        return type.toString().replace(" charset utf8mb4", "");
    }

    private ExpressionNode intervalFirst() {
        cursor.require("INTERVAL");
        ExpressionNode count = or();
        String unit = cursor.next().word().toLowerCase(Locale.ROOT);
        cursor.requireSign('+');
        return ExpressionNode.value(product(), " + interval ", count, " " + unit);
    }

    private ExpressionNode function(SqlToken token) {
        String word = token.word();
        String small = word.toLowerCase(Locale.ROOT);
        cursor.skip();
        if (INTERVAL_FUNCTIONS.contains(word)) {
            return addition(word.endsWith("SUB") || word.startsWith("SUB") ? "-" : "+");
        }
        if (!cursor.isSign('(')) {
            return ExpressionNode.function(SAME_FUNCTIONS.getOrDefault(small, small), List.of());
        }
        List<ExpressionNode> arguments = arguments();
        if (small.equals("mod") && arguments.size() == 2) {
            return ExpressionNode.infix("%", arguments.get(0), arguments.get(1));
        }
        if (small.equals("isnull") && arguments.size() == 1) {
            return ExpressionNode.truth(arguments.get(0), " is null");
        }
        return ExpressionNode.function(SAME_FUNCTIONS.getOrDefault(small, small), arguments);
    }

    private ExpressionNode addition(String sign) {
        cursor.requireSign('(');
        ExpressionNode date = or();
        cursor.requireSign(',');
        ExpressionNode made = cursor.isWord("INTERVAL")
                ? interval(date, sign)
                : ExpressionNode.value(date, " " + sign + " interval ", or(), " day");
        cursor.requireSign(')');
        return made;
    }

    private List<ExpressionNode> arguments() {
        List<ExpressionNode> arguments = new ArrayList<>();
        cursor.requireSign('(');
        while (!cursor.isSign(')')) {
            arguments.add(or());
            if (!cursor.acceptSign(',')) {
                break;
            }
        }
        cursor.requireSign(')');
        return arguments;
    }
}
