package io.tributary.schema.read;

import java.util.List;
import java.util.Set;

/**
 * A part of an expression: its operator or function, and its operands.
 *
 * @param kind its form
 * @param operator "" for a text
 * @param parts operands or arguments; only the text for {@link Kind#TEXT}
 */
record ExpressionNode(Kind kind, String operator, List<Object> parts) {
    enum Kind {
        /** A name, a literal, or another text that is printed unchanged. */
        TEXT,
        /** Operands with an operator between them. */
        INFIX,
        /** An operator before its operand, which is in parentheses. */
        PREFIX,
        /** An operator after its operand, with texts in it. */
        SUFFIX,
        FUNCTION
    }

    private static final Set<String> COMPARISONS =
            Set.of("=", "<>", "<", ">", "<=", ">=", "<=>", "like", "and", "or", "xor");

    static ExpressionNode text(String text) {
        return new ExpressionNode(Kind.TEXT, "", List.of(text));
    }

    static ExpressionNode infix(String operator, ExpressionNode left, ExpressionNode right) {
        boolean flat = operator.equals("and") || operator.equals("or");
        if (flat && left.kind == Kind.INFIX && left.operator.equals(operator)) {
            List<Object> parts = new java.util.ArrayList<>(left.parts);
            parts.add(right);
            return new ExpressionNode(Kind.INFIX, operator, List.copyOf(parts));
        }
        return new ExpressionNode(Kind.INFIX, operator, List.of(left, right));
    }

    static ExpressionNode prefix(String operator, ExpressionNode operand) {
        return new ExpressionNode(Kind.PREFIX, operator, List.of(operand));
    }

    /** A sequence of texts and nodes in parentheses; a truth value. */
    static ExpressionNode truth(Object... parts) {
        return new ExpressionNode(Kind.SUFFIX, "truth", List.of(parts));
    }

    /** A sequence of texts and nodes in parentheses; not a truth value. */
    static ExpressionNode value(Object... parts) {
        return new ExpressionNode(Kind.SUFFIX, "", List.of(parts));
    }

    static ExpressionNode function(String name, List<ExpressionNode> arguments) {
        return new ExpressionNode(Kind.FUNCTION, name, List.copyOf(arguments));
    }

    ExpressionNode part(int index) {
        return (ExpressionNode) parts.get(index);
    }

    /** Whether its operator returns true, false or NULL. */
    boolean isTruth() {
        return switch (kind) {
            case INFIX -> COMPARISONS.contains(operator);
            case PREFIX -> operator.equals("not");
            case SUFFIX -> operator.equals("truth");
            case FUNCTION -> TRUTH_FUNCTIONS.contains(operator);
            case TEXT -> parts.get(0).equals("true") || parts.get(0).equals("false");
        };
    }

    private static final Set<String> TRUTH_FUNCTIONS = Set.of(
            "isnull",
            "json_contains",
            "json_contains_path",
            "json_overlaps",
            "json_schema_valid",
            "regexp_like",
            "st_contains",
            "st_equals",
            "st_intersects",
            "st_within",
            "mbrcontains",
            "is_uuid");

    /** As an operand of AND, OR, XOR and IS TRUE: the server compares a value that is not a truth value with 0. */
    ExpressionNode asTruth() {
        return isTruth() ? this : infix("<>", text("0"), this);
    }

    /** The negation, as NOT computes it. */
    ExpressionNode negated() {
        if (kind == Kind.INFIX && OPPOSITES.containsKey(operator)) {
            return infix(OPPOSITES.get(operator), part(0), part(1));
        }
        if (kind == Kind.INFIX && (operator.equals("and") || operator.equals("or"))) {
            String other = operator.equals("and") ? "or" : "and";
            ExpressionNode all = part(0).asTruth().negated();
            for (Object next : parts.subList(1, parts.size())) {
                all = infix(other, all, ((ExpressionNode) next).asTruth().negated());
            }
            return all;
        }
        if (kind == Kind.SUFFIX && isTruth()) {
            return negatedSuffix();
        }
        return isTruth() ? prefix("not", this) : infix("=", text("0"), this);
    }

    private ExpressionNode negatedSuffix() {
        List<Object> other = new java.util.ArrayList<>(parts);
        for (int i = 0; i < other.size(); i++) {
            String opposite = other.get(i) instanceof String word ? SUFFIX_OPPOSITES.get(word) : null;
            if (opposite != null) {
                other.set(i, opposite);
                return new ExpressionNode(kind, operator, List.copyOf(other));
            }
        }
        return prefix("not", this);
    }

    private static final java.util.Map<String, String> OPPOSITES =
            java.util.Map.of("=", "<>", "<>", "=", "<", ">=", ">=", "<", ">", "<=", "<=", ">");

    private static final java.util.Map<String, String> SUFFIX_OPPOSITES = java.util.Map.of(
            " is null",
            " is not null",
            " is not null",
            " is null",
            " between ",
            " not between ",
            " not between ",
            " between ",
            " in ",
            " not in ",
            " not in ",
            " in ");

    /** The text, with parentheses around each operation. */
    String print() {
        StringBuilder text = new StringBuilder();
        print(text);
        return text.toString();
    }

    private void print(StringBuilder text) {
        switch (kind) {
            case TEXT -> text.append(parts.get(0));
            case INFIX -> join(text.append('('), " " + operator + " ").append(')');
            case PREFIX -> {
                boolean not = operator.equals("not");
                text.append(not ? "(not(" : operator + "(");
                part(0).print(text);
                text.append(not ? "))" : ")");
            }
            case SUFFIX -> join(text.append('('), "").append(')');
            case FUNCTION -> join(text.append(operator).append('('), ",").append(')');
        }
    }

    private StringBuilder join(StringBuilder text, String between) {
        for (int i = 0; i < parts.size(); i++) {
            text.append(i == 0 ? "" : between);
            if (parts.get(i) instanceof ExpressionNode node) {
                node.print(text);
            } else {
                text.append(parts.get(i));
            }
        }
        return text;
    }
}
