package io.tributary.schema.read;

import io.tributary.schema.definition.SqlType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Converts a constant to the value that a column stores, in the text that a server shows. */
final class StoredDefault {
    private static final int FLOAT_DIGITS = 6;
    private static final int ZEROFILL_FLOAT = 12;
    private static final int ZEROFILL_DOUBLE = 22;
    /** Maximum position of the decimal point, counted from the first digit, in a number that is written without an exponent. */
    private static final int MAX_POINT = 15;

    private StoredDefault() {}

    /** A constant as the default of a column of this type. */
    static String of(Constant constant, SqlType type) {
        try {
            return switch (type.name()) {
                case "tinyint", "smallint", "mediumint", "int", "bigint" -> integer(constant, type);
                case "decimal" -> decimal(constant, type);
                case "float", "double" -> floating(constant, type);
                case "bit" -> bits(constant);
                case "year" -> year(constant);
                case "date", "datetime", "timestamp", "time" -> TemporalText.of(textOf(constant), type);
                case "char" -> stripSpaces(constant.asText(type.charset()), constant, type);
                case "varchar" -> stripSpaces(constant.asText(type.charset()), constant, type);
                case "binary" -> padded(bytes(constant, type), type.length());
                case "varbinary" -> bytes(constant, type);
                case "enum" -> value(stripEnd(constant.asText(type.charset())), type);
                case "set" -> set(constant.asText(type.charset()), type);
                default -> constant.asText(type.charset());
            };
        } catch (NumberFormatException e) {
            throw new UnreadableStatementException("not a number: " + constant.text());
        }
    }

    private static String textOf(Constant constant) {
        return constant.kind() == Constant.Kind.BYTES ? constant.asInteger().toString() : constant.text();
    }

    private static BigDecimal number(Constant constant) {
        return new BigDecimal(textOf(constant).strip());
    }

    private static String integer(Constant constant, SqlType type) {
        return padZeros(number(constant).setScale(0, RoundingMode.HALF_UP).toPlainString(), type, type.length());
    }

    private static String padZeros(String digits, SqlType type, int width) {
        return type.zerofill() ? "0".repeat(Math.max(0, width - digits.length())) + digits : digits;
    }

    private static String decimal(Constant constant, SqlType type) {
        String digits =
                number(constant).setScale(type.decimals(), RoundingMode.HALF_UP).toPlainString();
        return padZeros(digits, type, type.length() + (type.decimals() > 0 ? 1 : 0));
    }

    private static String floating(Constant constant, SqlType type) {
        boolean single = type.name().equals("float");
        BigDecimal exact = number(constant);
        if (type.length() > 0) {
            BigDecimal stored = single ? new BigDecimal(exact.floatValue()) : exact;
            String digits =
                    stored.setScale(type.decimals(), RoundingMode.HALF_EVEN).toPlainString();
            return padZeros(digits, type, type.length());
        }
        BigDecimal stored = single
                ? new BigDecimal(Float.toString(exact.floatValue())).round(new MathContext(FLOAT_DIGITS))
                : new BigDecimal(Double.toString(exact.doubleValue()));
        return padZeros(plainOrExponent(stored), type, single ? ZEROFILL_FLOAT : ZEROFILL_DOUBLE);
    }

    static String plainOrExponent(BigDecimal value) {
        if (value.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = value.stripTrailingZeros();
        int point = stripped.precision() - stripped.scale();
        if (point > -MAX_POINT && point <= MAX_POINT) {
            return stripped.toPlainString();
        }
        String digits = stripped.unscaledValue().abs().toString();
        String mantissa = digits.length() == 1 ? digits : digits.charAt(0) + "." + digits.substring(1);
        return (value.signum() < 0 ? "-" : "") + mantissa + "e" + (point - 1);
    }

    private static String bits(Constant constant) {
        if (constant.kind() == Constant.Kind.NUMBER) {
            return number(constant).toBigInteger().toString(2);
        }
        Constant bytes = new Constant(Constant.Kind.BYTES, constant.asBytes(), "");
        return constant.text().isEmpty()
                ? BigInteger.ZERO.toString()
                : bytes.asInteger().toString(2);
    }

    /** One or two digits mean 1970 to 2069; the number 0 is the year 0000. */
    private static String year(Constant constant) {
        int year = number(constant).setScale(0, RoundingMode.HALF_UP).intValue();
        boolean zero = year == 0
                && (constant.kind() == Constant.Kind.NUMBER
                        || constant.text().strip().length() == 4);
        if (!zero && year < 100) {
            year += year < 70 ? 2000 : 1900;
        }
        return String.format(Locale.ROOT, "%04d", year);
    }

    /** MariaDB truncates a value that is too long. */
    private static String bytes(Constant constant, SqlType type) {
        String bytes = isExponent(constant) ? number(constant.text()) : constant.asBytes();
        return bytes.substring(0, Math.min(bytes.length(), type.length()));
    }

    private static boolean isExponent(Constant constant) {
        return constant.kind() == Constant.Kind.NUMBER
                && constant.text().toLowerCase(Locale.ROOT).contains("e");
    }

    private static String number(String text) {
        return plainOrExponent(new BigDecimal(Double.toString(Double.parseDouble(text))));
    }

    /** A number is converted to its text; CHAR does not store trailing spaces. */
    private static String stripSpaces(String text, Constant constant, SqlType type) {
        if (isExponent(constant)) {
            return number(text);
        }
        boolean tooLong = text.codePointCount(0, text.length()) > type.length()
                && stripEnd(text).length() <= type.length();
        String fitting = tooLong ? text.substring(0, type.length()) : text;
        return type.name().equals("char") ? stripEnd(fitting) : fitting;
    }

    static String stripEnd(String text) {
        int end = text.length();
        while (end > 0 && text.charAt(end - 1) == ' ') {
            end--;
        }
        return text.substring(0, end);
    }

    private static String padded(String bytes, int length) {
        return bytes + "\0".repeat(Math.max(0, length - bytes.length()));
    }

    private static String value(String text, SqlType type) {
        for (String value : type.values()) {
            if (value.equals(text)) {
                return value;
            }
        }
        for (String value : type.values()) {
            if (value.equalsIgnoreCase(text)) {
                return value;
            }
        }
        throw new UnreadableStatementException("not a value of the column: " + text);
    }

    private static String set(String text, SqlType type) {
        if (text.isEmpty()) {
            return "";
        }
        List<String> wanted = new ArrayList<>();
        for (String one : text.split(",", -1)) {
            wanted.add(value(stripEnd(one), type));
        }
        return String.join(",", type.values().stream().filter(wanted::contains).toList());
    }
}
