package io.tributary.schema.read;

import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A DEFAULT clause as written.
 *
 * @param constant null if it is not a constant
 * @param value the default if it is not a constant
 */
record RawDefault(Constant constant, Default value) {
    static RawDefault of(Default value) {
        return new RawDefault(null, value);
    }

    static RawDefault of(Constant constant) {
        return new RawDefault(constant, Default.NONE);
    }

    private static final Set<String> TIMES = Set.of("time", "datetime", "timestamp");
    private static final Pattern FRACTION = Pattern.compile("(.*:\\d+\\.|\\d{6,}\\.)(\\d*)");

    /** MySQL ignores an empty constant for a column that can have none, if the mode is not strict. */
    boolean isUsedBy(SqlType type, ReadSession session) {
        boolean canHaveNone = type.isText()
                || type.name().endsWith("blob")
                || type.isGeometry()
                || type.name().equals("json");
        return constant == null || session.mariadb() || session.isStrict() || !canHaveNone;
    }

    boolean isNull() {
        return constant == null && value instanceof Default.Null;
    }

    /** The default as a column of this type stores it. */
    Default resolve(SqlType type, ReadSession session) {
        if (constant == null) {
            return value;
        }
        Constant stored = session.cutsFractions() && TIMES.contains(type.name()) ? cut(type.decimals()) : constant;
        return new Default.Literal(StoredDefault.of(stored, type));
    }

    /** The constant with at most as many fraction digits as the column has. */
    private Constant cut(int decimals) {
        Matcher fraction = FRACTION.matcher(constant.text());
        return fraction.matches() && fraction.group(2).length() > decimals
                ? new Constant(
                        constant.kind(),
                        fraction.group(1) + fraction.group(2).substring(0, decimals),
                        constant.charset())
                : constant;
    }
}
