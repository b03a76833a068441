package io.tributary.node.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.testkit.ManualClock;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ReaderLagTest {
    private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final Sid SID = Sid.parse(UUID);

    private final ManualClock clock = new ManualClock();
    private ReaderPlace place = ReaderPlace.NONE;
    private long newest = NewestOfNode.UNKNOWN;
    private final ReaderLag lag = new ReaderLag(() -> place, () -> newest, clock);

    /** @param oldest second of the oldest unfinished transaction, 0: there is none */
    private static ReaderPlace finished(long number, long oldest, long newest) {
        return new ReaderPlace(
                GtidSet.parse(UUID + ":1-" + number),
                Optional.of(new Gtid(SID, number)),
                oldest == 0 ? OptionalLong.empty() : OptionalLong.of(oldest * 1_000_000),
                OptionalLong.of(newest * 1_000_000));
    }

    private static ReaderPlace nothingRead(long number) {
        return new ReaderPlace(
                GtidSet.parse(UUID + ":1-" + number), Optional.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    private void at(int second) {
        clock.pass(Duration.ofSeconds(second).minusNanos(clock.epochMicros() * 1000));
    }

    @Test
    void nothingIsKnownBeforeTheFirstRun() {
        newest = 5;
        assertEquals(Double.NaN, lag.transactions());
        assertEquals(Double.NaN, lag.seconds());
    }

    @Test
    void aRunThatHasReadNothingHasWhatWasFinishedBeforeIt() {
        place = nothingRead(40);
        newest = 40;
        assertEquals(0, lag.transactions());
        assertEquals(0, lag.seconds());
        newest = 50;
        assertEquals(10, lag.transactions());
        assertEquals(Double.NaN, lag.seconds(), "no transaction was read whose age is known");
    }

    @Test
    void theOldestUnfinishedTransactionIsTheLag() {
        at(100);
        place = finished(45, 97, 99);
        newest = 60;
        assertEquals(15, lag.transactions(), "46 to 60");
        assertEquals(3, lag.seconds());
    }

    @Test
    void aReaderThatHasAllHasNoLagHoweverOldTheLastTransactionIs() {
        at(100);
        place = finished(50, 0, 20);
        newest = 50;
        assertEquals(0, lag.seconds());
        assertEquals(0, lag.transactions());
        newest = 51;
        assertEquals(80, lag.seconds(), "the node has a newer one, whose time is not known yet");
    }

    @Test
    void theTimeOfTheLastTransactionIsKeptForTheNextRun() {
        at(100);
        place = finished(50, 0, 90);
        lag.remember();
        place = nothingRead(50);
        newest = 70;
        assertEquals(10, lag.seconds());
        newest = NewestOfNode.UNKNOWN;
        assertEquals(Double.NaN, lag.seconds());
        assertEquals(Double.NaN, lag.transactions());
    }
}
