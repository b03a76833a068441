package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ElectionTest {
    private static final Quorum TWO_OF_THREE = new Quorum(3, Acknowledgement.MAJORITY);

    private static Candidate candidate(String node, long epoch, int file, long offset) {
        LogPosition at = new LogPosition(CutEpoch.of(epoch), file, offset, 0);
        return new Candidate(node, at, "copy-" + node, TWO_OF_THREE, Duration.ZERO);
    }

    private static Candidate empty(String node) {
        return new Candidate(node, LogPosition.NOTHING, "copy-" + node, TWO_OF_THREE, Duration.ZERO);
    }

    private static Election election(long epoch, Optional<String> preferred) {
        return new Election(TWO_OF_THREE, new Election.Past(epoch, Optional.empty(), false, false), preferred);
    }

    @Test
    void waitsForEnoughCandidatesAndElectsTheLongestLog() {
        Election election = election(4, Optional.empty());
        Candidate a = candidate("a", 3, 9, 900);
        Candidate b = candidate("b", 4, 2, 100);
        assertTrue(election.decide(List.of(b)).isEmpty());
        Election.Outcome outcome = election.decide(List.of(a, b)).orElseThrow();
        assertEquals(b, outcome.winner());
        assertEquals(5, outcome.epoch());
    }

    @Test
    void anOperatorsPreferenceDecidesOnlyBetweenEqualLogs() {
        Election election = election(1, Optional.of("c"));
        Candidate a = candidate("a", 1, 2, 100);
        Candidate c = candidate("c", 1, 2, 100);
        assertEquals(c, election.decide(List.of(a, c)).orElseThrow().winner());
        Candidate longer = candidate("a", 1, 2, 101);
        assertEquals(longer, election.decide(List.of(longer, c)).orElseThrow().winner());
        Election free = election(1, Optional.empty());
        assertEquals(a, free.decide(List.of(c, a)).orElseThrow().winner());
    }

    @Test
    void aDumperThatHasLostItsFilesDoesNotCount() {
        Candidate a = candidate("a", 2, 1, 100);
        assertTrue(election(2, Optional.empty()).decide(List.of(a, empty("b"))).isEmpty());
        assertTrue(election(0, Optional.empty()) // the epoch is lost in the coordinator, but not in the files
                .decide(List.of(a, empty("b")))
                .isEmpty());
        Candidate alone = candidate("a", 0, 1, 100); // there was no cluster before
        assertEquals(
                alone,
                election(0, Optional.empty())
                        .decide(List.of(empty("b"), alone))
                        .orElseThrow()
                        .winner());
    }

    @Test
    void countsOnlyCandidatesWithTheSameQuorum() {
        Candidate other = new Candidate(
                "b",
                new LogPosition(CutEpoch.of(1), 1, 900, 1),
                "copy-b",
                new Quorum(5, Acknowledgement.MAJORITY),
                Duration.ZERO);
        assertTrue(election(1, Optional.empty())
                .decide(List.of(candidate("a", 1, 1, 100), other))
                .isEmpty());
    }

    @Test
    void aDumperWithoutFilesCountsWhileNothingWasAcknowledged() {
        Election afresh =
                new Election(TWO_OF_THREE, new Election.Past(1, Optional.empty(), true, false), Optional.empty());
        Election.Outcome outcome =
                afresh.decide(List.of(empty("b"), empty("c"))).orElseThrow();
        assertEquals("b", outcome.winner().node());
        assertTrue(outcome.beganEmpty());
        assertTrue(
                afresh.decide(List.of(empty("b"), candidate("c", 2, 1, 100))).isEmpty(),
                "the epoch is lost in the coordinator");
        Voters voters = new Voters(2, Map.of("a", "copy-a", "b", "copy-b"));
        Election later =
                new Election(TWO_OF_THREE, new Election.Past(1, Optional.of(voters), true, false), Optional.empty());
        assertTrue(later.decide(List.of(empty("b"), empty("c"))).isEmpty());
    }

    @Test
    void emptyDumpersDoNotReplaceABinlogFromBeforeTheCluster() {
        Election election =
                new Election(TWO_OF_THREE, new Election.Past(0, Optional.empty(), false, true), Optional.empty());
        assertTrue(election.decide(List.of(empty("b"), empty("c"))).isEmpty());
        Election.Outcome outcome =
                election.decide(List.of(empty("b"), candidate("c", 0, 3, 100))).orElseThrow();
        assertEquals("c", outcome.winner().node());
        assertFalse(outcome.beganEmpty());
    }

    @Test
    void countsOnlyVotersWithTheFilesThatTheyHadThen() {
        Voters voters = new Voters(2, Map.of("a", "copy-a", "b", "copy-b", "c", "the copy that c had before"));
        Election election =
                new Election(TWO_OF_THREE, new Election.Past(3, Optional.of(voters), false, false), Optional.empty());
        Candidate a = candidate("a", 3, 1, 100);
        assertTrue(election.decide(List.of(a, candidate("c", 3, 1, 900))).isEmpty(), "c has other files now");
        assertTrue(election.decide(List.of(a, candidate("d", 3, 1, 900))).isEmpty(), "d never counted");
        Candidate clone = new Candidate("d", a.position(), "copy-b", TWO_OF_THREE, Duration.ZERO);
        assertTrue(election.decide(List.of(a, clone)).isEmpty(), "a copy of b's folder under another name is not b");
        assertEquals(
                "a",
                election.decide(List.of(a, candidate("b", 3, 1, 90), candidate("d", 3, 1, 900)))
                        .orElseThrow()
                        .winner()
                        .node());
    }

    @Test
    void votersAreReadAsTheyWereWritten() {
        Voters voters = new Voters(2, Map.of("a=b", "x", "c", "x")); // a folder that was copied with its name
        assertEquals(voters, NodeRecord.parse(NodeRecord.of(voters).bytes()).voters());
    }

    @Test
    void needsAsManyCandidatesAsTheAcknowledgedCutsRequireAndNotAsConfiguredNow() {
        Voters voters = new Voters(2, Map.of("a", "copy-a", "b", "copy-b", "c", "copy-c"));
        Quorum raised = new Quorum(5, Acknowledgement.MAJORITY);
        Election election =
                new Election(raised, new Election.Past(3, Optional.of(voters), false, false), Optional.empty());
        assertTrue(election.decide(List.of(candidate("a", 3, 1, 100), empty("d"), candidate("e", 3, 1, 5)))
                .isEmpty());
        assertTrue(election.decide(List.of(candidate("a", 3, 1, 100), candidate("b", 3, 1, 10)))
                .isPresent());
        assertEquals(1, new Voters(2, Map.of("a", "copy-a")).election());
        assertEquals(3, new Voters(1, Map.of("a", "1", "b", "2", "c", "3")).election());
    }
}
