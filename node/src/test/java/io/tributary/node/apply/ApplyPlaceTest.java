package io.tributary.node.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.apply.ApplyPosition;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import io.tributary.node.reader.ReaderPlace;
import io.tributary.replay.stream.ReplayTransaction;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ApplyPlaceTest {
    private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final Sid SID = Sid.parse(UUID);

    private static ReplayTransaction transaction(long number) {
        return new ReplayTransaction(new Gtid(SID, number), number - 1, number, number * 10);
    }

    @Test
    void nothingIsKnownBeforeTheFirstRun() {
        assertEquals(ReaderPlace.NONE, ApplyPlace.of(ApplyPosition.NONE));
    }

    @Test
    void aRunThatHasReadNothingHasWhatTheTargetHad() {
        ReaderPlace place = ApplyPlace.of(new ApplyPosition(GtidSet.parse(UUID + ":1-40"), null, null));
        assertEquals(UUID + ":1-40", place.executed().line());
        assertEquals(Optional.empty(), place.finished());
    }

    @Test
    void allBeforeTheOldestUnfinishedTransactionIsFinished() {
        ReaderPlace place =
                ApplyPlace.of(new ApplyPosition(GtidSet.parse(UUID + ":1-40"), transaction(50), transaction(46)));
        assertEquals(UUID + ":1-45", place.executed().line());
        assertEquals(Optional.of(new Gtid(SID, 45)), place.finished());
        assertEquals(OptionalLong.of(460), place.oldest());
        assertEquals(OptionalLong.of(500), place.newest());
        assertEquals(
                Optional.empty(),
                ApplyPlace.of(new ApplyPosition(GtidSet.EMPTY, transaction(2), transaction(1)))
                        .finished());
    }

    @Test
    void withoutAnUnfinishedTransactionAllThatWasReadIsFinished() {
        ReaderPlace place = ApplyPlace.of(new ApplyPosition(GtidSet.EMPTY, transaction(50), null));
        assertEquals(UUID + ":1-50", place.executed().line());
        assertEquals(OptionalLong.empty(), place.oldest());
    }
}
