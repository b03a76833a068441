package io.tributary.node.cluster;

import io.tributary.common.cluster.CutEpoch;
import io.tributary.common.cluster.Quorum;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the next leader: the candidate with the longest log among enough candidates, so that it has every acknowledged cut. Among equal logs
 * the one that an operator prefers wins, otherwise the first by name.
 *
 * @param quorum how many candidates are enough while nothing was acknowledged; a candidate with another quorum is not counted then
 * @param past state in the coordinator before the election
 * @param preferred name of the node that an operator prefers
 */
record Election(Quorum quorum, Past past, Optional<String> preferred) {
    /**
     * State before the election.
     *
     * @param epoch of the newest leader; 0 = none
     * @param voters the Dumpers that count; empty while nothing was acknowledged, or if that is no longer known
     * @param beganEmpty whether the cluster began with empty files, and nothing was acknowledged since
     * @param beganWithFiles whether a Dumper had a binlog before the cluster existed
     */
    record Past(long epoch, Optional<Voters> voters, boolean beganEmpty, boolean beganWithFiles) {}

    /**
     * Result of an election.
     *
     * @param winner the next leader
     * @param epoch of the next leader
     * @param beganEmpty as in {@link Past}
     * @param counted the candidates that the result depends on
     */
    record Outcome(Candidate winner, long epoch, boolean beganEmpty, List<Candidate> counted) {}

    /** The result; empty while there are not enough candidates. */
    Optional<Outcome> decide(Collection<Candidate> candidates) {
        long known = Math.max(
                past.epoch(),
                candidates.stream()
                        .mapToLong(each -> CutEpoch.leader(each.position().epoch()))
                        .max()
                        .orElse(0));
        boolean mayHaveNothing = known == 0 || past.beganEmpty() && past.epoch() == known;
        List<Candidate> counted =
                candidates.stream().filter(each -> counts(each, mayHaveNothing)).toList();
        boolean hasNothing = counted.stream().noneMatch(Candidate::hasLog);
        if (counted.size() < needed() || past.beganWithFiles() && hasNothing) {
            return Optional.empty();
        }
        Comparator<Candidate> order = Comparator.comparing(Candidate::position)
                .thenComparing(each -> preferred.filter(each.node()::equals).isPresent())
                .thenComparing(Comparator.comparing(Candidate::node).reversed());
        boolean beganEmpty = past.voters().isEmpty() && mayHaveNothing && (past.beganEmpty() || hasNothing);
        return counted.stream().max(order).map(winner -> new Outcome(winner, known + 1, beganEmpty, counted));
    }

    private int needed() {
        return past.voters().map(Voters::election).orElse(quorum.election());
    }

    /**
     * Whether a candidate counts. Once something may have been acknowledged, a Dumper without files has lost them, together with what it
     * acknowledged, so it does not count.
     */
    private boolean counts(Candidate candidate, boolean mayHaveNothing) {
        return past.voters()
                .map(known -> known.counts(candidate.node(), candidate.copy()) && candidate.hasLog())
                .orElse(candidate.quorum().equals(quorum) && (mayHaveNothing || candidate.hasLog()));
    }
}
