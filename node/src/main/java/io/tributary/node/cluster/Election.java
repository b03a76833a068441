package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Quorum;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Decides who leads next: the longest log among enough candidates, so that it has every acknowledged cut. Of several that are equal, the one
 * that an operator prefers, else the first by name.
 *
 * @param quorum how many are enough while nothing was acknowledged; who counts otherwise is not counted then
 * @param past what the coordinator knows
 * @param preferred by an operator
 */
record Election(Quorum quorum, Past past, Optional<String> preferred) {
    /**
     * What was before.
     *
     * @param epoch the newest leader's; 0 for none
     * @param electors who counts; empty while nothing was acknowledged, or where that is not known any more
     * @param isAfresh whether the cluster began with empty files, and nothing was acknowledged since
     * @param beganWithFiles whether somebody had a binlog before there was a cluster
     */
    record Past(long epoch, Optional<Electors> electors, boolean isAfresh, boolean beganWithFiles) {}

    /**
     * How it went.
     *
     * @param winner who leads next
     * @param epoch under which
     * @param isAfresh as in {@link Past}
     * @param counted those whose standing makes it so
     */
    record Outcome(Candidate winner, long epoch, boolean isAfresh, List<Candidate> counted) {}

    /** Empty while there are not enough. */
    Optional<Outcome> decide(Collection<Candidate> candidates) {
        long known = Math.max(
                past.epoch(),
                candidates.stream()
                        .mapToLong(each -> CutEpoch.leader(each.position().epoch()))
                        .max()
                        .orElse(0));
        boolean mayHaveNothing = known == 0 || past.isAfresh() && past.epoch() == known;
        List<Candidate> counted =
                candidates.stream().filter(each -> counts(each, mayHaveNothing)).toList();
        boolean hasNothing = counted.stream().noneMatch(Candidate::hasLog);
        if (counted.size() < needed() || past.beganWithFiles() && hasNothing) {
            return Optional.empty();
        }
        Comparator<Candidate> order = Comparator.comparing(Candidate::position)
                .thenComparing(each -> preferred.filter(each.node()::equals).isPresent())
                .thenComparing(Comparator.comparing(Candidate::node).reversed());
        boolean isAfresh = past.electors().isEmpty() && mayHaveNothing && (past.isAfresh() || hasNothing);
        return counted.stream().max(order).map(winner -> new Outcome(winner, known + 1, isAfresh, counted));
    }

    private int needed() {
        return past.electors().map(Electors::election).orElse(quorum.election());
    }

    /**
     * Once something may have been acknowledged, a Dumper without files is one that has lost them: what it has acknowledged it cannot bear
     * witness to.
     */
    private boolean counts(Candidate candidate, boolean mayHaveNothing) {
        return past.electors()
                .map(known -> known.counts(candidate.node(), candidate.copy()) && candidate.hasLog())
                .orElse(candidate.quorum().equals(quorum) && (mayHaveNothing || candidate.hasLog()));
    }
}
