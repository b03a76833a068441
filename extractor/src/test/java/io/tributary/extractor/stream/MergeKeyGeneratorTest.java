package io.tributary.extractor.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.Token;
import org.junit.jupiter.api.Test;

/** Merge keys: first the round's window, then the time in it; they never decrease. */
class MergeKeyGeneratorTest {
    private static final GtidSet SOME = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5");
    private static final GtidSet MORE = GtidSet.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:1-9");

    private static ShardCut cut(GtidSet resume, GtidSet frontier, long round, long key) {
        return new ShardCut("s", "", new ResumePosition(resume, "", 0), frontier, round, key, Cut.LeftOutGtids.NONE);
    }

    @Test
    void countsTimeFromTheRoundsOwnClock() {
        MergeKeyGenerator keys = new MergeKeyGenerator(cut(SOME, SOME, 0, 0));
        keys.roundRead(7, 1_000_000);
        assertEquals(Token.key(8, 250), keys.next(1_000_250));
        assertEquals(Token.key(8, 250), keys.next(1_000_100));
        keys.roundRead(8, 2_000_000);
        assertEquals(Token.key(9, -5), keys.next(1_999_995));
    }

    @Test
    void staysInItsWindowForAnyClock() {
        MergeKeyGenerator keys = new MergeKeyGenerator(cut(SOME, SOME, 0, 0));
        keys.roundRead(7, 1_000_000);
        long far = keys.next(Long.MAX_VALUE / 2);
        assertEquals(8, far >>> Token.KEY_TIME_BITS);
        keys.roundRead(8, 1_050_000);
        assertTrue(keys.next(1_050_001) > far);
    }

    @Test
    void continuesFromTheCutAfterItsFrontier() {
        long key = Token.key(51, 77);
        MergeKeyGenerator keys = new MergeKeyGenerator(cut(SOME, SOME, 50, key));
        assertTrue(keys.next(1) >= key);
    }

    @Test
    void transactionsThatAreReadAgainHaveSmallKeysUpToTheFrontier() {
        long key = Token.key(51, 77);
        MergeKeyGenerator keys = new MergeKeyGenerator(cut(SOME, MORE, 50, key));
        assertTrue(keys.next(1) < key);
        keys.roundRead(49, 1000);
        assertEquals(50, keys.next(1) >>> Token.KEY_TIME_BITS);
        keys.passFrontier();
        assertTrue(keys.next(1) >= key);
    }

    @Test
    void correctionsHaveTheKeyOfTheFrontierAndSetNoTime() {
        long key = Token.key(51, 77);
        MergeKeyGenerator keys = new MergeKeyGenerator(cut(SOME, SOME, 50, key));
        assertEquals(key, keys.correction());
        assertEquals(key, keys.correction());
        keys.next(1_000_000);
        assertEquals(Token.key(51, 900), keys.next(1_000_900));
    }

    @Test
    void makesCommitTimesGrow() {
        MergeKeyGenerator keys = new MergeKeyGenerator(cut(SOME, SOME, 0, 0));
        assertEquals(0, keys.commitMicros(0));
        assertEquals(100, keys.commitMicros(100));
        assertEquals(101, keys.commitMicros(100));
        assertEquals(102, keys.commitMicros(50));
        assertEquals(200, keys.commitMicros(200));
    }
}
