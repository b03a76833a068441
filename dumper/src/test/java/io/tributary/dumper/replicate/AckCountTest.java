package io.tributary.dumper.replicate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.dumper.BinlogPlace;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class AckCountTest {
    private static BinlogPlace place(long offset) {
        return new BinlogPlace(2, offset);
    }

    @Test
    void countsWhatEnoughFollowersHave() {
        AckCount acks = new AckCount(2, BinlogPlace.NONE);
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
        acks.begins("c", place(10));
        assertEquals(place(10), acks.place());
    }

    @Test
    void whatWasWrittenBeforeTheReignCountsOnlyTogetherWithSomethingOfIt() {
        AckCount acks = new AckCount(1, place(100));
        acks.acknowledged("a", place(99), 1);
        assertEquals(BinlogPlace.NONE, acks.place());
        acks.acknowledged("a", place(100), 1);
        assertEquals(place(100), acks.place());
    }
}
