package io.tributary.dumper.serve;

import io.tributary.dumper.BinlogFile;
import io.tributary.mysql.protocol.server.SemiSyncAck;
import java.util.ArrayDeque;
import java.util.Deque;

/** What one semi-sync reader was asked to acknowledge, and has. Runs on its loop. */
final class Acknowledgements {
    private static final int MOST_ASKED = 1024;

    private final SemiSyncGate gate;
    private final Deque<Asked> asked = new ArrayDeque<>();
    private Asked last = new Asked(null, 0);

    /** The end of an event that is to be acknowledged. */
    private record Asked(BinlogFile file, long end) {
        boolean isMeant(SemiSyncAck ack) {
            return file.name().equals(ack.file()) && (int) end == (int) ack.position(); // log_pos has 32 bits
        }
    }

    Acknowledgements(SemiSyncGate gate) {
        this.gate = gate;
    }

    /** The reader is asked to acknowledge the event that ends here. */
    void ask(BinlogFile file, long end) {
        if (asked.size() == MOST_ASKED) {
            asked.removeFirst(); // acknowledged with the next one
        }
        asked.addLast(new Asked(file, end));
    }

    /** An acknowledgement has come; one of nothing that was asked for is of no use. */
    void received(SemiSyncAck ack) {
        boolean known = asked.stream().anyMatch(each -> each.isMeant(ack));
        while (known) {
            Asked first = asked.removeFirst();
            if (first.isMeant(ack)) {
                acknowledge(first);
                known = false;
            }
        }
    }

    /** The reader has everything up to here, without having been sent it: it said so by its GTID set or its position. */
    void has(BinlogFile file, long end) {
        if (asked.isEmpty() && (last.file() != file || last.end() != end)) {
            acknowledge(new Asked(file, end));
        }
    }

    private void acknowledge(Asked place) {
        last = place;
        gate.acknowledged(this, place.file(), place.end());
    }

    /** The reader is gone. */
    void left() {
        gate.left(this);
    }
}
