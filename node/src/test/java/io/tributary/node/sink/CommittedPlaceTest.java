package io.tributary.node.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.changes.ChangeTransaction;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.node.reader.ReaderPlace;
import io.tributary.sink.SinkPosition;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CommittedPlaceTest {
    private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final Sid SID = Sid.parse(UUID);

    private static Optional<ChangeTransaction> transaction(long number) {
        return Optional.of(new ChangeTransaction(new Gtid(SID, number), number * 10, "binlog.000001", 4));
    }

    /** With the place of its end. */
    private static Optional<ChangeTransaction> ended(long number) {
        return transaction(number)
                .map(one -> new ChangeTransaction(one.gtid(), one.committedMicros(), "binlog.000001", 99));
    }

    @Test
    void nothingIsKnownBeforeTheFirstRun() {
        assertEquals(ReaderPlace.NONE, CommittedPlace.of(SinkPosition.NONE));
    }

    @Test
    void allThatIsCommittedInKafkaIsFinished() {
        ReaderPlace place =
                CommittedPlace.of(new SinkPosition(transaction(9), transaction(4), transaction(6), Optional.empty()));
        assertEquals(UUID + ":1-4", place.executed().line());
        assertEquals(Optional.of(new Gtid(SID, 4)), place.finished());
        assertEquals(OptionalLong.of(60), place.oldest());
        assertEquals(OptionalLong.of(90), place.newest());
    }

    @Test
    void whatWasReadIsUnfinishedUntilItIsCommitted() {
        assertEquals(
                OptionalLong.of(90),
                CommittedPlace.of(new SinkPosition(transaction(9), transaction(4), Optional.empty(), Optional.empty()))
                        .oldest());
        assertEquals(
                OptionalLong.empty(),
                CommittedPlace.of(new SinkPosition(transaction(9), ended(9), Optional.empty(), Optional.empty()))
                        .oldest());
    }
}
