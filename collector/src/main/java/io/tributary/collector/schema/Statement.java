package io.tributary.collector.schema;

import io.tributary.common.io.LittleEndian;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.ClientCharset;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;

/**
 * A DDL statement as it is written, with what its session makes of it.
 *
 * @param text with logical names
 * @param session its settings, as far as its event has them
 * @param time when it was run on the shard that brought it, in the time zone of its session; of a session in the zone of its server, and of one whose
 *     statement tells none, in the zone of this machine
 */
record Statement(String text, ReadSession session, OffsetDateTime time) {
    private static final int NANOS_OF_MICRO = 1000;

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
        return new Statement(text, session, time(event));
    }

    Statement with(String other) {
        return other.equals(text) ? this : new Statement(other, session, time);
    }

    /** The event with another statement in place of its own. */
    static ByteBuffer with(ByteBuffer event, String text) {
        int charset = QueryEvent.variable(event, 0, StatusVariables.Q_CHARSET_CODE);
        byte[] bytes = text.getBytes(ClientCharset.of(charset < 0 ? 0 : LittleEndian.getU16(event, charset)));
        byte[] schema = QueryEvent.schema(event, 0).getBytes(StandardCharsets.UTF_8);
        int kept = QueryEvent.schemaAt(event, 0);
        ByteBuffer other = ByteBuffer.allocate(kept + schema.length + 1 + bytes.length);
        QueryEvent.rewrite(event, 0, schema, bytes, other, 0);
        return other;
    }

    private static OffsetDateTime time(ByteBuffer event) {
        int micros = QueryEvent.variable(event, 0, StatusVariables.Q_MICROSECONDS);
        int zone = QueryEvent.variable(event, 0, StatusVariables.Q_TIME_ZONE_CODE);
        long nanos = micros < 0 ? 0 : (long) LittleEndian.getU24(event, micros) * NANOS_OF_MICRO;
        Instant at = Instant.ofEpochSecond(EventHeader.timestamp(event, 0), nanos);
        return at.atZone(zone < 0 ? ZoneId.systemDefault() : zone(event, zone)).toOffsetDateTime();
    }

    /** A zone that is not known here, such as SYSTEM, is this machine's. */
    private static ZoneId zone(ByteBuffer event, int at) {
        byte[] name = new byte[LittleEndian.getU8(event, at)];
        event.get(at + 1, name);
        try {
            return ZoneId.of(new String(name, StandardCharsets.US_ASCII));
        } catch (DateTimeException unknown) {
            return ZoneId.systemDefault();
        }
    }
}
