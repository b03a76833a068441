package io.tributary.binlog.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.binlog.file.FileOffset;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AckCountTest {
    private static FileOffset place(long offset) {
        return new FileOffset(2, offset);
    }

    private static AckCount begun(int needed, FileOffset floor, CountedVoters countedVoters, String... members) {
        AckCount acks = new AckCount(needed, floor, countedVoters);
        for (String member : members) {
            acks.add(member, "copy of " + member, FileOffset.NONE);
        }
        return acks;
    }

    @Test
    void countsNoFollowerThatWouldNotVoteInAnElection() {
        CountedVoters countedVoters = CountedVoters.none();
        AckCount acks = begun(1, FileOffset.NONE, countedVoters, "a", "b");
        acks.acknowledged("a", place(100), 7);
        acks.acknowledged("b", place(50), 5);
        assertEquals(FileOffset.NONE, acks.place());
        assertEquals(OptionalLong.empty(), acks.newestAnswered());
        countedVoters.count(Map.of("a", "the copy that a had before", "b", "copy of b"));
        assertEquals(place(50), acks.place());
        assertEquals(OptionalLong.of(5), acks.newestAnswered());
        acks.add("b", "another copy", place(60));
        assertEquals(FileOffset.NONE, acks.place());
    }

    @Test
    void countsWhatEnoughFollowersHave() {
        AckCount acks = begun(2, FileOffset.NONE, CountedVoters.all(), "a", "b", "c");
        acks.acknowledged("a", place(100), 7);
        assertEquals(FileOffset.NONE, acks.place());
        acks.acknowledged("b", place(50), 5);
        assertEquals(place(50), acks.place());
        acks.acknowledged("c", place(70), 6);
        assertEquals(place(70), acks.place());
        assertEquals(OptionalLong.of(6), acks.newestAnswered());
        acks.acknowledged("a", place(60), 1); // late
        assertEquals(place(70), acks.place());
        acks.remove("a");
        assertEquals(place(50), acks.place());
        acks.add("c", "copy of c", place(10));
        assertEquals(place(10), acks.place());
    }

    @Test
    void bytesFromBeforeTheLeaderTermCountOnlyTogetherWithBytesOfIt() {
        AckCount acks = begun(1, place(100), CountedVoters.all(), "a");
        acks.acknowledged("a", place(99), 1);
        assertEquals(FileOffset.NONE, acks.place());
        acks.acknowledged("a", place(100), 1);
        assertEquals(place(100), acks.place());
    }
}
