package io.tributary.common.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class QuorumTest {
    @Test
    void everyElectionHasADumperWithEveryAcknowledgedCut() {
        for (int dumpers = 1; dumpers <= 9; dumpers++) {
            for (Acknowledgement each : Acknowledgement.values()) {
                Quorum quorum = new Quorum(dumpers, each);
                assertTrue(quorum.copies() + quorum.election() > dumpers, quorum.toString());
                assertTrue(quorum.copies() <= dumpers && quorum.election() <= dumpers, quorum.toString());
            }
        }
    }

    /** Followers that stay with a leader are no candidates, nor is the leader. */
    @Test
    void nobodyElseCanBeElectedWhileItsFollowersStay() {
        for (int dumpers = 1; dumpers <= 9; dumpers++) {
            for (Acknowledgement each : Acknowledgement.values()) {
                Quorum quorum = new Quorum(dumpers, each);
                assertTrue(dumpers - 1 - quorum.followers() < quorum.election(), quorum.toString());
            }
        }
    }

    @Test
    void needsAsFewDumpersAsPossible() {
        int[] elections = IntStream.of(1, 2, 3, 5)
                .map(dumpers -> new Quorum(dumpers, Acknowledgement.MAJORITY).election())
                .toArray();
        assertEquals(List.of(1, 1, 2, 3), IntStream.of(elections).boxed().toList());
        assertEquals(2, new Quorum(3, Acknowledgement.ONE).election());
        assertEquals(3, new Quorum(3, Acknowledgement.LEADER).election());
    }

    @Test
    void theLongerLogIsThatOfTheHigherEpochAndThenTheOneThatEndsLater() {
        List<LogPosition> sorted = List.of(
                LogPosition.NOTHING,
                new LogPosition(CutEpoch.of(1), 9, 900, 90),
                new LogPosition(CutEpoch.of(1) + 1, 1, 1, 91),
                new LogPosition(CutEpoch.of(2), 1, 7, 1),
                new LogPosition(CutEpoch.of(2), 1, 8, 1),
                new LogPosition(CutEpoch.of(2), 2, 4, 2));
        assertEquals(
                sorted,
                sorted.stream()
                        .sorted(java.util.Comparator.reverseOrder())
                        .sorted()
                        .toList());
    }

    @Test
    void epochsOfCutsNameTheirLeader() {
        assertEquals(5, CutEpoch.leader(CutEpoch.of(5) + 3));
        assertEquals("5.3", CutEpoch.text(CutEpoch.of(5) + 3));
        assertEquals("17", CutEpoch.text(17));
        assertTrue(CutEpoch.of(1) > 17);
    }
}
