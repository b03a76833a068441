package io.tributary.mysql.event;

import io.tributary.mysql.event.row.TableShape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A binlog file of a real MySQL 8.0.31 server, in a direct buffer. */
public final class Binlog {
    public final ByteBuffer view;
    /** Offsets of the headers of all events, in order. */
    final List<Integer> events = new ArrayList<>();

    private Binlog(byte[] bytes) {
        view = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        int at = EventHeader.FILE_MAGIC_LENGTH;
        while (at < bytes.length) {
            EventHeader.check(view, at);
            events.add(at);
            at = EventHeader.end(view, at);
        }
    }

    public static Binlog golden(String name) {
        try (InputStream in = Binlog.class.getResourceAsStream("/golden/" + name)) {
            return new Binlog(in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Offset after the event without its checksum. */
    public int end(int at) {
        return EventHeader.end(view, at) - Checksum.LENGTH;
    }

    int type(int at) {
        return EventHeader.type(view, at);
    }

    public List<Integer> ofType(int type) {
        return events.stream().filter(at -> type(at) == type).toList();
    }

    /** The nth event of a type, from 0. */
    public int nth(int type, int n) {
        return ofType(type).get(n);
    }

    /** The shape of the table map before an event. */
    public TableShape shapeBefore(int at) {
        int map = events.stream()
                .filter(e -> e < at && type(e) == EventType.TABLE_MAP_EVENT)
                .reduce((first, second) -> second)
                .orElseThrow();
        return TableShape.of(view, map, end(map));
    }
}
