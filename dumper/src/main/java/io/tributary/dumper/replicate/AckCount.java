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
    private final Witnesses witnesses;
    private final Map<String, BinlogPlace> places = new HashMap<>();
    private final Map<String, String> copies = new HashMap<>();
    private final Map<String, Long> answered = new HashMap<>();

    /**
     * @param needed how many followers it takes, 1 or more
     * @param floor where this epoch begins: what was written before counts only together with something of this epoch, as Raft has it
     *     (§5.4.2), for a follower that has no more could lose an election
     * @param witnesses who counts
     */
    AckCount(int needed, BinlogPlace floor, Witnesses witnesses) {
        this.witnesses = witnesses;
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
    void begins(String member, String copy, BinlogPlace place) {
        copies.put(member, copy);
        places.put(member, place);
    }

    void left(String member) {
        places.remove(member);
        copies.remove(member);
        answered.remove(member);
    }

    /** All before it is on enough disks; {@link BinlogPlace#NONE} while nothing is. */
    BinlogPlace place() {
        List<BinlogPlace> sorted = places.entrySet().stream()
                .filter(each -> counts(each.getKey()))
                .map(Map.Entry::getValue)
                .sorted(Collections.reverseOrder())
                .toList();
        if (sorted.size() < needed) {
            return BinlogPlace.NONE;
        }
        BinlogPlace enough = sorted.get(needed - 1);
        return enough.compareTo(floor) < 0 ? BinlogPlace.NONE : enough;
    }

    /** So many followers have answered what was sent at this time or later, ns; empty while too few have. */
    OptionalLong heard() {
        List<Long> sorted = answered.entrySet().stream()
                .filter(each -> counts(each.getKey()))
                .map(Map.Entry::getValue)
                .sorted((a, b) -> Long.compare(b - a, 0))
                .toList();
        if (sorted.size() < needed) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(sorted.get(needed - 1));
    }

    private boolean counts(String member) {
        return copies.containsKey(member) && witnesses.counts(member, copies.get(member));
    }
}
