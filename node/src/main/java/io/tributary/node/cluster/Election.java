package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.LogPosition;
import io.tributary.common.cluster.Quorum;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides who leads next: the longest log among enough candidates, so that it has every acknowledged cut. Of several that are equal, the one
 * that an operator prefers, else the first by name.
 *
 * @param quorum how many are enough
 * @param lastEpoch the newest leader's epoch that the coordinator knows; 0 for none
 * @param preferred by an operator
 */
record Election(Quorum quorum, long lastEpoch, Optional<String> preferred) {
    /**
     * How it went.
     *
     * @param winner who leads next
     * @param epoch under which
     * @param counted those whose standing makes it so
     */
    record Outcome(Candidate winner, long epoch, List<Candidate> counted) {}

    /** Empty while there are not enough. */
    Optional<Outcome> decide(Collection<Candidate> candidates) {
        long known = Math.max(
                lastEpoch,
                candidates.stream()
                        .mapToLong(each -> CutEpoch.leader(each.position().epoch()))
                        .max()
                        .orElse(0));
        List<Candidate> counted = candidates.stream()
                .filter(each -> each.quorum().equals(quorum))
                .filter(each -> known == 0 || hasLog(each))
                .toList();
        if (counted.size() < quorum.election()) {
            return Optional.empty();
        }
        Comparator<Candidate> order = Comparator.comparing(Candidate::position)
                .thenComparing(each -> preferred.filter(each.node()::equals).isPresent())
                .thenComparing(Comparator.comparing(Candidate::node).reversed());
        return counted.stream().max(order).map(winner -> new Outcome(winner, known + 1, counted));
    }

    /** Once there was a leader, a Dumper without files is one that has lost them: what it has acknowledged it cannot bear witness to. */
    private static boolean hasLog(Candidate candidate) {
        return !candidate.position().equals(LogPosition.NOTHING);
    }
}
