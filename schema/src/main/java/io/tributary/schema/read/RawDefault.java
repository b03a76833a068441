package io.tributary.schema.read;

import io.tributary.schema.definition.Default;
import io.tributary.schema.definition.SqlType;

/**
 * A DEFAULT clause as it was written.
 *
 * @param constant null where it is none
 * @param value what it is without a constant
 */
record RawDefault(Constant constant, Default value) {
    static RawDefault of(Default value) {
        return new RawDefault(null, value);
    }

    static RawDefault of(Constant constant) {
        return new RawDefault(constant, Default.NONE);
    }

    /** MySQL leaves out an empty constant at a column that can have none, where the mode is not strict. */
    boolean isTakenBy(SqlType type, ReadSession session) {
        boolean canHaveNone = type.isText()
                || type.name().endsWith("blob")
                || type.isGeometry()
                || type.name().equals("json");
        return constant == null || session.mariadb() || !canHaveNone;
    }

    /** As a column of this type stores it. */
    Default resolve(SqlType type) {
        return constant == null ? value : new Default.Literal(StoredDefault.of(constant, type));
    }
}
