package io.tributary.node.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.cluster.Acknowledgement;
import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ElectionTest {
    private static final Quorum TWO_OF_THREE = new Quorum(3, Acknowledgement.MAJORITY);

    private static Candidate candidate(String node, long epoch, int file, long offset) {
        LogPosition at = new LogPosition(CutEpoch.of(epoch), file, offset, 0);
        return new Candidate(node, at, TWO_OF_THREE, Duration.ZERO);
    }

    private static Candidate empty(String node) {
        return new Candidate(node, LogPosition.NOTHING, TWO_OF_THREE, Duration.ZERO);
    }

    @Test
    void waitsForEnoughAndTakesTheLongestLog() {
        Election election = new Election(TWO_OF_THREE, 4, Optional.empty());
        Candidate a = candidate("a", 3, 9, 900);
        Candidate b = candidate("b", 4, 2, 100);
        assertTrue(election.decide(List.of(b)).isEmpty());
        Election.Outcome outcome = election.decide(List.of(a, b)).orElseThrow();
        assertEquals(b, outcome.winner());
        assertEquals(5, outcome.epoch());
    }

    @Test
    void anOperatorsWishDecidesBetweenEqualsOnly() {
        Election election = new Election(TWO_OF_THREE, 1, Optional.of("c"));
        Candidate a = candidate("a", 1, 2, 100);
        Candidate c = candidate("c", 1, 2, 100);
        assertEquals(c, election.decide(List.of(a, c)).orElseThrow().winner());
        Candidate longer = candidate("a", 1, 2, 101);
        assertEquals(longer, election.decide(List.of(longer, c)).orElseThrow().winner());
        Election free = new Election(TWO_OF_THREE, 1, Optional.empty());
        assertEquals(a, free.decide(List.of(c, a)).orElseThrow().winner());
    }

    @Test
    void aDumperThatHasLostItsFilesBearsNoWitness() {
        Candidate a = candidate("a", 2, 1, 100);
        assertTrue(new Election(TWO_OF_THREE, 2, Optional.empty())
                .decide(List.of(a, empty("b")))
                .isEmpty());
        assertTrue(new Election(TWO_OF_THREE, 0, Optional.empty()) // the coordinator has forgotten, the files have not
                .decide(List.of(a, empty("b")))
                .isEmpty());
        Candidate alone = candidate("a", 0, 1, 100); // was no cluster before
        assertEquals(
                alone,
                new Election(TWO_OF_THREE, 0, Optional.empty())
                        .decide(List.of(empty("b"), alone))
                        .orElseThrow()
                        .winner());
    }

    @Test
    void countsOnlyThoseWhoCountAlike() {
        Candidate other = new Candidate(
                "b",
                new LogPosition(CutEpoch.of(1), 1, 900, 1),
                new Quorum(5, Acknowledgement.MAJORITY),
                Duration.ZERO);
        assertTrue(new Election(TWO_OF_THREE, 1, Optional.empty())
                .decide(List.of(candidate("a", 1, 1, 100), other))
                .isEmpty());
    }

    /**
     * Leaders append, some of the others copy some of it, some die, others stand: whoever is elected has all that was acknowledged.
     */
    @Test
    void neverLosesWhatIsAcknowledged() {
        long first = Long.getLong("seed", 1L);
        for (long seed = first; seed < first + 2000; seed++) {
            Random random = new Random(seed);
            int dumpers = 1 + random.nextInt(5);
            Acknowledgement acknowledgement = List.of(Acknowledgement.values()).get(random.nextInt(3));
            new Model(new Quorum(dumpers, acknowledgement), random, "seed " + seed).run();
        }
    }

    /** Logs as lists of the epochs of their entries, prefixes of each other as long as they are equal. */
    private static final class Model {
        private final Quorum quorum;
        private final Random random;
        private final String name;
        private final List<List<String>> logs = new ArrayList<>();
        private List<String> acknowledged = List.of();
        private long epoch;
        private int entries;

        Model(Quorum quorum, Random random, String name) {
            this.quorum = quorum;
            this.random = random;
            this.name = name + " " + quorum;
            for (int i = 0; i < quorum.dumpers(); i++) {
                logs.add(new ArrayList<>(List.of("0/0")));
            }
        }

        void run() {
            for (int reign = 0; reign < 6; reign++) {
                List<Integer> standing = new ArrayList<>();
                for (int i = 0; i < quorum.dumpers(); i++) {
                    standing.add(i);
                }
                Collections.shuffle(standing, random);
                int most = standing.size();
                List<Integer> there =
                        standing.subList(0, quorum.election() + random.nextInt(most - quorum.election() + 1));
                Election.Outcome outcome = new Election(quorum, epoch, Optional.empty())
                        .decide(there.stream().map(this::candidate).toList())
                        .orElseThrow();
                epoch = outcome.epoch();
                int leader = Integer.parseInt(outcome.winner().node());
                List<String> log = logs.get(leader);
                assertTrue(
                        log.size() >= acknowledged.size()
                                && log.subList(0, acknowledged.size()).equals(acknowledged),
                        name + ": leader " + leader + " has " + log + ", acknowledged is " + acknowledged);
                lead(leader);
            }
        }

        private Candidate candidate(int dumper) {
            List<String> log = logs.get(dumper);
            String entry = log.get(log.size() - 1);
            long last = Long.parseLong(entry.substring(0, entry.indexOf('/')));
            LogPosition at = new LogPosition(CutEpoch.of(last), 1, log.size(), 0);
            return new Candidate(Integer.toString(dumper), at, quorum, Duration.ZERO);
        }

        private void lead(int leader) {
            List<String> log = logs.get(leader);
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                log.add(epoch + "/" + ++entries);
            }
            List<Integer> copied = new ArrayList<>(List.of(log.size()));
            for (int i = 0; i < quorum.dumpers(); i++) {
                if (i != leader && random.nextBoolean()) {
                    copied.add(copy(log, logs.get(i)));
                }
            }
            copied.sort(Collections.reverseOrder());
            if (copied.size() >= quorum.copies()) {
                int all = copied.get(quorum.copies() - 1);
                if (log.get(all - 1)
                        .startsWith(epoch + "/")) { // an old leader's entries count only below one of this leader's
                    acknowledged = List.copyOf(log.subList(0, all));
                }
            }
        }

        /** Cuts off what differs, and copies on for a while; how much of it is the same then. */
        private int copy(List<String> from, List<String> to) {
            int same = 0;
            while (same < to.size() && same < from.size() && to.get(same).equals(from.get(same))) {
                same++;
            }
            to.subList(same, to.size()).clear();
            int end = same + random.nextInt(from.size() - same + 1);
            to.addAll(from.subList(same, end));
            return end;
        }
    }
}
