package io.tributary.schema.rows;

import io.tributary.mysql.event.TableShape;
import java.time.ZoneId;
import java.util.Optional;

/** Values of defaults as MySQL stores them in row images. */
public final class StoredValue {
    private StoredValue() {}

    /**
     * The value that ADD COLUMN with a DEFAULT gives to rows.
     *
     * @param literal as it stands in the statement, such as {@code 'a''b'}, {@code -1.50}, {@code x'ff'}, {@code b'101'}, {@code TRUE}, {@code
     *     TIMESTAMP '2020-01-01 00:00:00'} or {@code NULL}
     * @param isNull for SQL NULL, whatever the literal
     * @param to the target's table map
     * @param column of the target
     * @param zone time_zone of the session that ran the statement, for TIMESTAMP columns; empty for unknown
     */
    public static Constant of(String literal, boolean isNull, TableShape to, int column, Optional<ZoneId> zone) {
        return new Constant.Unknown("not there yet");
    }
}
