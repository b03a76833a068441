package io.tributary.apply.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.Sid;
import io.tributary.replay.stream.ReplayTransaction;
import io.tributary.schema.keys.WriteSets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Dependencies by the logical clock of the stream. */
class StreamClockTest {
    private static final Sid SID = Sid.parse("00000000-0000-0000-0000-000000000001");

    private final StreamClock clock = new StreamClock();
    private final WriteSets none = new WriteSets();
    private long number;
    private long gno;

    /** @param clocks last_committed and sequence_number of each transaction */
    private List<Long> add(long... clocks) {
        List<ReplayTransaction> transactions = new ArrayList<>();
        for (int i = 0; i < clocks.length; i += 2) {
            transactions.add(new ReplayTransaction(new Gtid(SID, ++gno), clocks[i], clocks[i + 1], 0));
        }
        List<Long> dependencies = new ArrayList<>();
        clock.add(new ApplyBatch(++number, 0, transactions), none, on -> dependencies.add(on.number()));
        return dependencies;
    }

    @Test
    void aBatchDependsOnThoseUpToItsLastCommitted() {
        assertEquals(List.of(), add(0, 1));
        assertEquals(List.of(1L), add(1, 2, 1, 3));
        assertEquals(List.of(1L, 2L), add(2, 4));
        assertEquals(List.of(1L), add(1, 5));
    }

    @Test
    void aBatchWithTheEndOfAFileAndTheBeginOfTheNextIsADependencyOfTheNext() {
        add(0, 97);
        assertEquals(List.of(1L), add(97, 98, 97, 99, 0, 1, 1, 2));
        assertEquals(List.of(2L), add(1, 3));
        assertEquals(List.of(2L, 3L), add(3, 4));
    }

    @Test
    void theFirstOfAFileDependsOnAll() {
        add(0, 1);
        add(1, 2);
        assertEquals(List.of(1L, 2L), add(0, 1));
    }
}
