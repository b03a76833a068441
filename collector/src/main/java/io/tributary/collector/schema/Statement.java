package io.tributary.collector.schema;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.ClientCharset;
import java.nio.ByteBuffer;

/**
 * A DDL statement as it is written, with what its session makes of it.
 *
 * @param text with logical names
 * @param session its settings, as far as its event has them
 */
record Statement(String text, ReadSession session) {
    /**
     * Reads a QUERY event.
     *
     * @param event from 0 to its limit; looked at only
     */
    static Statement of(ByteBuffer event) {
        int at = 0;
        int charset = QueryEvent.variable(event, at, StatusVariables.Q_CHARSET_CODE);
        int mode = QueryEvent.variable(event, at, StatusVariables.Q_SQL_MODE_CODE);
        int explicit = QueryEvent.variable(event, at, StatusVariables.Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP);
        byte[] bytes = new byte[event.limit() - QueryEvent.textAt(event, at)];
        event.get(QueryEvent.textAt(event, at), bytes);
        String text = new String(bytes, ClientCharset.of(charset < 0 ? 0 : LittleEndian.getU16(event, charset)));
        ReadSession session = ReadSession.standard(QueryEvent.schema(event, at));
        if (mode >= 0) {
            session = session.withSqlMode(LittleEndian.getLong(event, mode));
        }
        if (explicit >= 0) {
            session = session.withExplicitDefaultsForTimestamp(LittleEndian.getU8(event, explicit) != 0);
        }
        return new Statement(text, session);
    }
}
