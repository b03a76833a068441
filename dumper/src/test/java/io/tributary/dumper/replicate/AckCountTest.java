package io.tributary.dumper.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.dumper.BinlogPlace;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AckCountTest {
    private static BinlogPlace place(long offset) {
        return new BinlogPlace(2, offset);
    }

    private static AckCount begun(int needed, BinlogPlace floor, Witnesses witnesses, String... members) {
        AckCount acks = new AckCount(needed, floor, witnesses);
        for (String member : members) {
            acks.begins(member, "copy of " + member, BinlogPlace.NONE);
        }
        return acks;
    }

    @Test
    void countsNobodyWhoWouldBearNoWitnessInAnElection() {
        Witnesses witnesses = Witnesses.none();
        AckCount acks = begun(1, BinlogPlace.NONE, witnesses, "a", "b");
        acks.acknowledged("a", place(100), 7);
        acks.acknowledged("b", place(50), 5);
        assertEquals(BinlogPlace.NONE, acks.place());
        assertEquals(OptionalLong.empty(), acks.heard());
        witnesses.count(Map.of("a", "the copy that a had before", "b", "copy of b"));
        assertEquals(place(50), acks.place());
        assertEquals(OptionalLong.of(5), acks.heard());
        acks.begins("b", "another copy", place(60));
        assertEquals(BinlogPlace.NONE, acks.place());
    }

    @Test
    void countsWhatEnoughFollowersHave() {
        AckCount acks = begun(2, BinlogPlace.NONE, Witnesses.all(), "a", "b", "c");
        acks.acknowledged("a", place(100), 7);
        assertEquals(BinlogPlace.NONE, acks.place());
        acks.acknowledged("b", place(50), 5);
        assertEquals(place(50), acks.place());
        acks.acknowledged("c", place(70), 6);
        assertEquals(place(70), acks.place());
        assertEquals(OptionalLong.of(6), acks.heard());
        acks.acknowledged("a", place(60), 1); // late
        assertEquals(place(70), acks.place());
        acks.left("a");
        assertEquals(place(50), acks.place());
        acks.begins("c", "copy of c", place(10));
        assertEquals(place(10), acks.place());
    }

    @Test
    void whatWasWrittenBeforeTheReignCountsOnlyTogetherWithSomethingOfIt() {
        AckCount acks = begun(1, place(100), Witnesses.all(), "a");
        acks.acknowledged("a", place(99), 1);
        assertEquals(BinlogPlace.NONE, acks.place());
        acks.acknowledged("a", place(100), 1);
        assertEquals(place(100), acks.place());
    }
}
