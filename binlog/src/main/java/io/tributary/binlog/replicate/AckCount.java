package io.tributary.binlog.replicate;

import io.tributary.binlog.file.FileOffset;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Counts up to where each follower, and enough followers, have the binlog on disk. For one thread. */
final class AckCount {
    private final int needed;
    private final FileOffset floor;
    private final CountedVoters countedVoters;
    private final Map<String, FileOffset> places = new HashMap<>();
    private final Map<String, String> copies = new HashMap<>();
    private final Map<String, Long> answered = new HashMap<>();

    /**
     * @param needed how many followers must have the bytes, 1 or more
     * @param floor where this epoch begins. Bytes written before count only together with bytes of this epoch, as in Raft (§5.4.2): a follower
     *     with nothing of this epoch could lose an election
     * @param countedVoters the followers that count
     */
    AckCount(int needed, FileOffset floor, CountedVoters countedVoters) {
        this.countedVoters = countedVoters;
        this.needed = needed;
        this.floor = floor;
    }

    /**
     * Records a follower's acknowledgement.
     *
     * @param asked when the leader sent the newest message that the follower has received, ns
     */
    void acknowledged(String member, FileOffset place, long asked) {
        places.merge(member, place, (known, reported) -> reported.compareTo(known) > 0 ? reported : known);
        answered.merge(member, asked, (known, reported) -> reported - known > 0 ? reported : known);
    }

    /** A follower starts to copy: what it acknowledged before is no longer valid. */
    void add(String member, String copy, FileOffset place) {
        copies.put(member, copy);
        places.put(member, place);
    }

    void remove(String member) {
        places.remove(member);
        copies.remove(member);
        answered.remove(member);
    }

    /** Enough followers have everything before this place on disk; {@link FileOffset#NONE} while there is no such place. */
    FileOffset place() {
        List<FileOffset> sorted = places.entrySet().stream()
                .filter(each -> counts(each.getKey()))
                .map(Map.Entry::getValue)
                .sorted(Collections.reverseOrder())
                .toList();
        if (sorted.size() < needed) {
            return FileOffset.NONE;
        }
        FileOffset enough = sorted.get(needed - 1);
        return enough.compareTo(floor) < 0 ? FileOffset.NONE : enough;
    }

    /** Enough followers have answered a message that was sent at this time or later, ns; empty while too few have. */
    OptionalLong newestAnswered() {
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
        return copies.containsKey(member) && countedVoters.counts(member, copies.get(member));
    }
}
