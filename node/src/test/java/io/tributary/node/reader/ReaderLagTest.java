package io.tributary.node.reader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.testkit.ManualClock;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReaderLagTest {
    private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final Sid SID = Sid.parse(UUID);

    private final ManualClock clock = new ManualClock();
    private ReaderPlace position = ReaderPlace.NONE;
    private long newest = NewestOfNode.UNKNOWN;
    private final ReaderLag lag = new ReaderLag(() -> position, () -> newest, clock);

    private static ReplayTransaction transaction(long number, long second) {
        return new ReplayTransaction(new Gtid(SID, number), number - 1, number, second * 1_000_000);
    }

    private void at(int second) {
        clock.pass(Duration.ofSeconds(second).minusNanos(clock.epochMicros() * 1000));
    }

    @Test
    void nothingIsKnownBeforeTheFirstRun() {
        newest = 5;
        assertEquals(Double.NaN, lag.transactions());
        assertEquals(Double.NaN, lag.seconds());
        assertEquals(GtidSet.EMPTY, lag.executed());
        assertEquals(Optional.empty(), lag.newest());
    }

    @Test
    void aRunThatHasReadNothingHasWhatTheTargetHad() {
        position = new ReaderPlace(GtidSet.parse(UUID + ":1-40"), null, null);
        newest = 40;
        assertEquals(0, lag.transactions());
        assertEquals(0, lag.seconds());
        newest = 50;
        assertEquals(10, lag.transactions());
        assertEquals(Double.NaN, lag.seconds(), "no transaction was read whose age is known");
        assertEquals(UUID + ":1-40", lag.executed().line());
    }

    @Test
    void theOldestUnfinishedTransactionIsTheLag() {
        at(100);
        position = new ReaderPlace(GtidSet.parse(UUID + ":1-40"), transaction(50, 99), transaction(46, 97));
        newest = 60;
        assertEquals(15, lag.transactions(), "46 to 60");
        assertEquals(3, lag.seconds());
        assertEquals(UUID + ":1-45", lag.executed().line());
        assertEquals(Optional.of(new Gtid(SID, 45)), lag.newest());
    }

    @Test
    void aTargetThatHasAllHasNoLagHoweverOldTheLastTransactionIs() {
        at(100);
        position = new ReaderPlace(GtidSet.EMPTY, transaction(50, 20), null);
        newest = 50;
        assertEquals(0, lag.seconds());
        assertEquals(0, lag.transactions());
        newest = 51;
        assertEquals(80, lag.seconds(), "the node has a newer one, whose time is not known yet");
        assertEquals(UUID + ":1-50", lag.executed().line());
    }

    @Test
    void theTimeOfTheLastTransactionIsKeptForTheNextRun() {
        at(100);
        position = new ReaderPlace(GtidSet.EMPTY, transaction(50, 90), null);
        lag.remember();
        position = new ReaderPlace(GtidSet.parse(UUID + ":1-50"), null, null);
        newest = 70;
        assertEquals(10, lag.seconds());
        newest = NewestOfNode.UNKNOWN;
        assertEquals(Double.NaN, lag.seconds());
        assertEquals(Double.NaN, lag.transactions());
    }
}
