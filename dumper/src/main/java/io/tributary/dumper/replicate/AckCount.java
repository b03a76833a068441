package io.tributary.dumper.replicate;

import io.tributary.dumper.BinlogPlace;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** What each follower has on its disk, and what enough of them have. For one thread. */
final class AckCount {
    private final int needed;
    private final BinlogPlace floor;
    private final Map<String, BinlogPlace> places = new HashMap<>();
    private final Map<String, Long> answered = new HashMap<>();

    /**
     * @param needed how many followers it takes, 1 or more
     * @param floor where this epoch begins: what was written before counts only together with something of this epoch, as Raft has it
     *     (§5.4.2), for a follower that has no more could lose an election
     */
    AckCount(int needed, BinlogPlace floor) {
        this.needed = needed;
        this.floor = floor;
    }

    /**
     * A follower has said how far it is.
     *
     * @param asked when the newest message left that it has, ns
     */
    void acknowledged(String member, BinlogPlace place, long asked) {
        places.merge(member, place, (known, said) -> said.compareTo(known) > 0 ? said : known);
        answered.merge(member, asked, (known, said) -> said - known > 0 ? said : known);
    }

    /** A follower's files begin anew: what it said before holds no more. */
    void begins(String member, BinlogPlace place) {
        places.put(member, place);
    }

    void left(String member) {
        places.remove(member);
        answered.remove(member);
    }

    /** All before it is on enough disks; {@link BinlogPlace#NONE} while nothing is. */
    BinlogPlace place() {
        if (places.size() < needed) {
            return BinlogPlace.NONE;
        }
        List<BinlogPlace> sorted =
                places.values().stream().sorted(Collections.reverseOrder()).toList();
        BinlogPlace enough = sorted.get(needed - 1);
        return enough.compareTo(floor) < 0 ? BinlogPlace.NONE : enough;
    }

    /** So many followers have answered what was sent at this time or later, ns; empty while too few have. */
    OptionalLong heard() {
        if (answered.size() < needed) {
            return OptionalLong.empty();
        }
        List<Long> sorted = answered.values().stream()
                .sorted((a, b) -> Long.compare(b - a, 0))
                .toList();
        return OptionalLong.of(sorted.get(needed - 1));
    }
}
