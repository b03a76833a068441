package io.tributary.node.status;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The comparisons of replicas with the shards that a node runs on a schedule.
 *
 * @param next when the next comparison begins; empty while the node does not serve the binlog
 * @param replicas one for each that was compared
 */
public record VerifyStatus(Optional<Instant> next, List<Replica> replicas) implements StatusPart {
    public VerifyStatus {
        replicas = List.copyOf(replicas);
    }

    /**
     * A replica.
     *
     * @param address host and port
     * @param running the comparison that runs now, as far as it is
     * @param runs those that have ended, the newest one first
     */
    public record Replica(String address, Optional<Run> running, List<Run> runs) {
        public Replica {
            runs = List.copyOf(runs);
        }
    }

    /**
     * A comparison.
     *
     * @param end empty while it runs
     * @param tables that it compares
     * @param rows that it has compared
     * @param findings their number
     * @param busy rows that were not compared because they changed all the time
     * @param error why it has failed; "" if it has not
     * @param searched what was searched for the last changes; "" if there was no search
     * @param differences the first findings, without values, by the names of {@code tributary verify --json}
     */
    public record Run(
            Instant begin,
            Optional<Instant> end,
            int tables,
            long rows,
            long findings,
            long busy,
            String error,
            String searched,
            List<Map<String, Object>> differences) {
        public Run {
            differences = List.copyOf(differences);
        }

        /** The result in one line. */
        @Override
        public String toString() {
            if (!error.isEmpty()) {
                return "failed " + end.orElse(begin) + (findings == 0 ? "" : " after " + findings + " findings") + ": "
                        + error;
            }
            String result = findings == 0 ? "equal" : findings + " findings";
            return (end.isEmpty() ? "runs since " + begin + ": " : end.get() + ": ") + result + ", " + tables
                    + " tables, " + rows + " rows";
        }
    }
}
