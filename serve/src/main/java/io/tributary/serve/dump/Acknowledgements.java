package io.tributary.serve.dump;

import io.tributary.binlog.file.BinlogFile;
import io.tributary.mysql.protocol.server.SemiSyncAck;
import java.util.ArrayDeque;
import java.util.Deque;

/** The acknowledgements that one semi-sync reader was asked for, and its last one. Runs on its event loop. */
final class Acknowledgements {
    private static final int MAX_ASKED = 1024;

    private final SemiSyncGate gate;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private Asked last = new Asked(null, 0);

    /** The end of an event that the reader must acknowledge. */
    private record Asked(BinlogFile file, long end) {
        boolean matches(SemiSyncAck ack) {
            return file.name().equals(ack.file()) && (int) end == (int) ack.position(); // log_pos has 32 bits
        }
    }

    Acknowledgements(SemiSyncGate gate) {
        this.gate = gate;
    }

    /** Records that the reader was asked to acknowledge the event that ends here. */
    void ask(BinlogFile file, long end) {
        if (asked.size() == MAX_ASKED) {
            asked.removeFirst(); // it is acknowledged with the next one
        }
        asked.addLast(new Asked(file, end));
    }

    /** Processes an acknowledgement; one that nobody asked for is ignored. */
    void received(SemiSyncAck ack) {
        boolean known = asked.stream().anyMatch(each -> each.matches(ack));
        while (known) {
            Asked first = asked.removeFirst();
            if (first.matches(ack)) {
                acknowledge(first);
                known = false;
            }
        }
    }

    /** The reader has everything up to here although it was not sent: its GTID set or its position shows it. */
    void has(BinlogFile file, long end) {
        if (asked.isEmpty() && (last.file() != file || last.end() != end)) {
            acknowledge(new Asked(file, end));
        }
    }

    private void acknowledge(Asked place) {
        last = place;
        gate.acknowledged(this, place.file(), place.end());
    }

    /** The reader has disconnected. */
    void left() {
        gate.left(this);
    }
}
