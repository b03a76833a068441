package io.tributary.collector.schema;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.ServerVersion;
import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventOrigin;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.StatusVariables;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.ClientCharset;
import io.tributary.schema.sql.SqlTokens;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A DDL statement as it is written, with the settings of its session.
 *
 * @param text with logical names
 * @param session its settings, as far as its event contains them
 * @param time when it was run on its shard, in the time zone of its session. If the session uses the zone of its server, or the event contains no
 *     zone, it is in the zone of this machine
 */
record Statement(String text, ReadSession session, OffsetDateTime time) {
    private static final int NANOS_OF_MICRO = 1000;

    /** The words that unique and foreign keys begin with, or contain. */
    private static final Set<String> KEYS = Set.of("UNIQUE", "REFERENCES");

    /** The words that can be between DROP and a name. */
    private static final Set<String> DROPPED =
            Set.of("COLUMN", "INDEX", "KEY", "PRIMARY", "FOREIGN", "CHECK", "CONSTRAINT");

    /**
     * Reads a QUERY event.
     *
     * @param event from 0 to its limit; only read
     * @param server the version of the server whose log contained it
     */
    static Statement of(ByteBuffer event, ServerVersion server) {
        int at = 0;
        int charset = QueryEvent.variable(event, at, StatusVariables.Q_CHARSET_CODE);
        int mode = QueryEvent.variable(event, at, StatusVariables.Q_SQL_MODE_CODE);
        int explicit = QueryEvent.variable(event, at, StatusVariables.Q_EXPLICIT_DEFAULTS_FOR_TIMESTAMP);
        int utf8mb4 = QueryEvent.variable(event, at, StatusVariables.Q_DEFAULT_COLLATION_FOR_UTF8MB4);
        byte[] bytes = new byte[event.limit() - QueryEvent.textAt(event, at)];
        event.get(QueryEvent.textAt(event, at), bytes);
        String text = new String(bytes, ClientCharset.of(charset < 0 ? 0 : LittleEndian.getU16(event, charset)));
        ReadSession session = ReadSession.of(server, QueryEvent.schema(event, at));
        if (mode >= 0) {
            session = session.withSqlMode(LittleEndian.getLong(event, mode));
        }
        if (explicit >= 0) {
            session = session.withExplicitDefaultsForTimestamp(LittleEndian.getU8(event, explicit) != 0);
        }
        Optional<Collation> general =
                utf8mb4 < 0 ? Optional.empty() : Collations.of(LittleEndian.getU16(event, utf8mb4));
        if (general.isPresent()) {
            session = session.withUtf8mb4Collation(general.get().name());
        }
        return new Statement(text, session, time(event));
    }

    /** The same statement in a schema with this default collation; "" if it is not known. */
    Statement withCollation(String collation) {
        return collation.isEmpty() ? this : new Statement(text, session.withDefaultCollation(collation), time);
    }

    Statement with(String other) {
        return other.equals(text) ? this : new Statement(other, session, time);
    }

    /**
     * The event of a statement that this node has made: utf8mb4, SQL mode "", no default schema.
     *
     * @param like provides the time and server id; only read
     */
    static ByteBuffer event(ByteBuffer like, String text) {
        ByteBuffer event = ByteBuffer.allocate(QueryEvent.BEGIN_LENGTH);
        QueryEvent.writeBegin(event, 0, EventOrigin.of(like, 0), 0);
        return with(event, text);
    }

    /** The event with another statement in place of its own. */
    static ByteBuffer with(ByteBuffer event, String text) {
        int charset = QueryEvent.variable(event, 0, StatusVariables.Q_CHARSET_CODE);
        byte[] bytes = text.getBytes(ClientCharset.of(charset < 0 ? 0 : LittleEndian.getU16(event, charset)));
        byte[] schema = QueryEvent.schema(event, 0).getBytes(StandardCharsets.UTF_8);
        return QueryEvent.withText(event, 0, schema, bytes);
    }

    private static OffsetDateTime time(ByteBuffer event) {
        int micros = QueryEvent.variable(event, 0, StatusVariables.Q_MICROSECONDS);
        int zone = QueryEvent.variable(event, 0, StatusVariables.Q_TIME_ZONE_CODE);
        long nanos = micros < 0 ? 0 : (long) LittleEndian.getU24(event, micros) * NANOS_OF_MICRO;
        Instant at = Instant.ofEpochSecond(EventHeader.timestamp(event, 0), nanos);
        return at.atZone(zone < 0 ? ZoneId.systemDefault() : zone(event, zone)).toOffsetDateTime();
    }

    /** A zone that is not known here, such as SYSTEM, is replaced by this machine's. */
    private static ZoneId zone(ByteBuffer event, int at) {
        byte[] name = new byte[LittleEndian.getU8(event, at)];
        event.get(at + 1, name);
        try {
            return ZoneId.of(new String(name, StandardCharsets.US_ASCII));
        } catch (DateTimeException unknown) {
            return ZoneId.systemDefault();
        }
    }

    /** Whether it may add a primary, unique or foreign key; all of these words are reserved. */
    boolean mayAddKeys() {
        SqlTokens tokens = session.scan(text);
        return !tokens.isComplete()
                || IntStream.range(0, tokens.size())
                        .anyMatch(at -> tokens.isOneOf(at, KEYS)
                                || tokens.isWord(at, "PRIMARY") && !tokens.isWord(at - 1, "DROP"));
    }

    /** Whether it only drops one item. */
    boolean isDrop() {
        SqlTokens tokens = session.scan(text);
        return drop(tokens) < tokens.size() && tokens.find(',', 0, tokens.size()) == tokens.size();
    }

    /** Whether another statement contains the name of the item that this one drops, or both refer to the primary key. */
    boolean namesDropped(String other) {
        SqlTokens own = session.scan(text);
        int what = drop(own) + 1;
        boolean isColumn = !own.isOneOf(what, DROPPED); // DROP a
        int at = isColumn ? what : what + (own.isWord(what, "FOREIGN") ? 2 : 1);
        String name = own.isWord(at - 1, "PRIMARY")
                ? "PRIMARY"
                : own.isName(at) ? own.get(at).value() : "";
        SqlTokens tokens = session.scan(other);
        return IntStream.range(0, tokens.size())
                .anyMatch(
                        each -> tokens.isName(each) && tokens.get(each).value().equalsIgnoreCase(name)
                                || name.equals("PRIMARY") && tokens.isWord(each, name));
    }

    private static int drop(SqlTokens tokens) {
        int at = 0;
        while (at < tokens.size() && !tokens.isWord(at, "DROP")) {
            at++;
        }
        return at;
    }

    /** Whether it needs the effect of another statement on partitions: it names one of them, or refers to all. */
    boolean needsPartitionsOf(String other) {
        SqlTokens tokens = session.scan(text);
        Set<String> names = partitions(session.scan(other));
        for (int at = 0; at < tokens.size(); at++) {
            boolean isOfAll = tokens.isWord(at, "PARTITIONING") || tokens.areWords(at, "PARTITION", "BY");
            boolean isNamed =
                    tokens.isName(at) && names.contains(tokens.get(at).value().toLowerCase(Locale.ROOT));
            if (isOfAll || isNamed) {
                return true;
            }
        }
        return false;
    }

    /** The names in TRUNCATE PARTITION a, b and the like, in lower case. */
    private static Set<String> partitions(SqlTokens tokens) {
        Set<String> names = new HashSet<>();
        for (int at = 1; at < tokens.size(); at++) {
            for (int next = at; tokens.isWord(at - 1, "PARTITION") && tokens.isName(next); next += 2) {
                names.add(tokens.get(next).value().toLowerCase(Locale.ROOT));
                if (!tokens.isSign(next + 1, ',')) {
                    break;
                }
            }
        }
        return names;
    }
}
