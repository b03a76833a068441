package io.tributary.extractor;

import io.tributary.common.io.LittleEndian;
import io.tributary.common.value.Payload;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.common.value.TokenKind;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.mysql.event.RowsEvent;
import io.tributary.mysql.event.TableMapEvent;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A token with a copy of its payload's bytes, which stays valid after the store is closed. */
public record SeenToken(Token token, ByteBuffer bytes) {
    static SeenToken take(Token token) {
        Payload payload = token.payload();
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        if (payload != null) {
            try (Payload.Cursor cursor = payload.open()) {
                for (ByteBuffer range = cursor.next(); range != null; range = cursor.next()) {
                    byte[] part = new byte[range.remaining()];
                    range.get(range.position(), part);
                    copy.writeBytes(part);
                }
            }
            payload.release();
        }
        return new SeenToken(token, ByteBuffer.wrap(copy.toByteArray()));
    }

    public TokenKind kind() {
        return token.kind();
    }

    /** Offsets of the events; checks that they fill the payload. */
    public List<Integer> offsets() {
        List<Integer> offsets = new ArrayList<>();
        int at = 0;
        while (at < bytes.limit()) {
            EventHeader.check(bytes, at);
            offsets.add(at);
            at = EventHeader.end(bytes, at);
        }
        return offsets;
    }

    /** The events of the payload in short form: {@code MAP s.t}, {@code WRITE s.t}, with a full stop at a statement's end, {@code QUERY text}. */
    public List<String> events() {
        List<String> words = new ArrayList<>();
        for (int at : offsets()) {
            words.add(word(at));
        }
        return words;
    }

    private String word(int at) {
        int end = EventHeader.end(bytes, at);
        int type = EventHeader.type(bytes, at);
        if (type == EventType.TABLE_MAP_EVENT) {
            TableMapEvent.check(bytes, at, end);
            return "MAP " + TableMapEvent.schema(bytes, at) + "." + TableMapEvent.table(bytes, at);
        }
        if (type == EventType.QUERY_EVENT) {
            QueryEvent.check(bytes, at, end);
            return "QUERY " + QueryEvent.schema(bytes, at) + ": " + QueryEvent.text(bytes, at, end);
        }
        if (!RowsEvent.isRows(type)) {
            return EventType.name(type);
        }
        RowsEvent.check(bytes, at, end);
        String verb = RowsEvent.isWrite(bytes, at) ? "WRITE" : RowsEvent.isDelete(bytes, at) ? "DELETE" : "UPDATE";
        long id = RowsEvent.tableId(bytes, at);
        String table = token.tables().stream()
                .filter(ref -> ref.id() == id)
                .map(ref -> ref.schema() + "." + ref.table())
                .collect(Collectors.joining());
        return verb + " " + table + (RowsEvent.endsStatement(bytes, at) ? "." : "");
    }

    /** Server ids in all headers. */
    public Set<Long> serverIds() {
        Set<Long> ids = new TreeSet<>();
        offsets().forEach(at -> ids.add(EventHeader.serverId(bytes, at)));
        return ids;
    }

    /** Positions in all headers. */
    public Set<Long> logPositions() {
        Set<Long> positions = new TreeSet<>();
        offsets().forEach(at -> positions.add(EventHeader.logPos(bytes, at)));
        return positions;
    }

    public Set<Long> mappedIds() {
        Set<Long> ids = new TreeSet<>();
        for (int at : offsets()) {
            if (EventHeader.type(bytes, at) == EventType.TABLE_MAP_EVENT) {
                ids.add(LittleEndian.getU48(bytes, at + EventHeader.LENGTH));
            }
        }
        return ids;
    }

    /** Everything that must be the same on each reading; without table ids. */
    String same() {
        return token + " " + token.file() + ":" + token.end() + " " + token.commitMicros() + " " + token.lastCommitted()
                + "/" + token.sequenceNumber() + " " + token.before() + " " + events() + " "
                + token.tables().stream().map(TableRef::toString).toList();
    }
}
