package io.tributary.node.command.log;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.mysql.event.EventCategory;
import io.tributary.mysql.event.EventHeader;
import io.tributary.mysql.event.EventType;
import io.tributary.mysql.event.GtidEvent;
import io.tributary.mysql.event.RotateEvent;
import io.tributary.mysql.protocol.client.EventConsumer;
import io.tributary.replay.stream.EventEnds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** Receives the events of a node's stream, and passes those of selected transactions on. For one thread. */
final class ServedEvents implements EventConsumer {

    private final TransactionChoice choice;
    private final EventEnds ends = new EventEnds();
    private String file = "";
    private long position;
    private long done; // bytes of the files before
    private Sid sid;

    ServedEvents(TransactionChoice choice) {
        this.choice = choice;
    }

    /** A stream begins, with or without checksums. */
    void begin(boolean withChecksums) {
        ends.begin(withChecksums);
        choice.begin();
    }

    @Override
    public boolean event(ByteBuffer view, int at, int length) {
        int end = ends.of(view, at, length);
        EventCategory category = EventType.category(EventHeader.type(view, at));
        if (category == EventCategory.ROTATE) {
            rotate(view, at, end);
            return true;
        }
        if (category != EventCategory.FORMAT_DESCRIPTION && category != EventCategory.HEARTBEAT) {
            position = EventHeader.endOffset(position, EventHeader.logPos(view, at));
        }
        if (category == EventCategory.GTID) {
            GtidEvent.check(view, at, end);
            sid = GtidEvent.sid(view, at, sid);
            choice.gtid(view, at, end, new Gtid(sid, GtidEvent.gno(view, at)), file, position - length);
        }
        if (choice.wants(category)) {
            try {
                choice.pass(view, at, end - at);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return !choice.isDone();
    }

    /** Each file begins with an artificial event that names it, and ends with one that names the next. */
    private void rotate(ByteBuffer view, int at, int end) {
        RotateEvent.check(view, at, end);
        String next = RotateEvent.fileName(view, at, end);
        if (!next.equals(file)) {
            done += position;
            file = next;
        }
        position = RotateEvent.position(view, at);
    }

    /** The file that is being received; "" before the first one. */
    String file() {
        return file;
    }

    /** How far the stream was received. */
    LogPlace place() {
        return new LogPlace(file, position, choice.begun(), done + position);
    }
}
