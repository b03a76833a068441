package io.tributary.node.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a node does its work now, and why not.
 *
 * @param reasons why it is not ready; empty: it is ready
 * @param warnings what an operator should look at; they do not make a node unready, because no other node would be better
 * @param term of the leader that the node knows; 0 for none
 */
public record NodeHealth(State state, List<Finding> reasons, List<Finding> warnings, long term) {
    /** Age of the newest event of a shard from which on its data is stale: heartbeat rounds make it about a second. */
    private static final double STALE_SECONDS = 30;

    /** The states of a node. */
    public enum State {
        STARTING,
        RUNNING,
        LEADER,
        FOLLOWER,
        ELECTING,
        RETRYING,
        STOPPING
    }

    /**
     * A reason or a warning.
     *
     * @param code such as {@code starting} or {@code shard-held}
     * @param subject such as the shard's name; empty for the node itself
     * @param look the command that shows more
     */
    public record Finding(String code, String subject, String look) {}

    /** @param lagSeconds age of the newest event of each shard that this node orders, by name */
    public static NodeHealth of(NodeStatus status, Map<String, Double> lagSeconds) {
        State state = state(status);
        List<Finding> warnings = new ArrayList<>();
        for (StatusPart part : status.parts()) {
            part.holds().forEach(hold -> warnings.add(new Finding("shard-held", hold.shard(), hold.look())));
        }
        new TreeMap<>(lagSeconds).forEach((shard, lag) -> {
            if (lag > STALE_SECONDS) {
                warnings.add(new Finding("shard-stale", shard, "tributary status"));
            }
        });
        return new NodeHealth(state, reasons(status, state), List.copyOf(warnings), term(status));
    }

    /** The same with one more warning. */
    public NodeHealth warned(Finding warning) {
        List<Finding> all = new ArrayList<>(warnings);
        all.add(warning);
        return new NodeHealth(state, reasons, List.copyOf(all), term);
    }

    /** Whether it does its work. */
    public boolean isReady() {
        return reasons.isEmpty();
    }

    private static State state(NodeStatus status) {
        if (status.state().startsWith("stop")) {
            return State.STOPPING;
        }
        Optional<DumperStatus> dumper = dumper(status);
        if (dumper.filter(DumperStatus.Electing.class::isInstance).isPresent()) {
            return State.ELECTING;
        }
        if (!status.isHealthy()) {
            boolean isFirst =
                    status.state().equals("starting") || status.state().startsWith("starting:");
            return isFirst ? State.STARTING : State.RETRYING;
        }
        return dumper.map(NodeHealth::state).orElse(State.RUNNING);
    }

    private static State state(DumperStatus dumper) {
        if (dumper instanceof DumperStatus.Leading) {
            return State.LEADER;
        }
        return dumper instanceof DumperStatus.Standalone ? State.RUNNING : State.FOLLOWER;
    }

    private static Optional<DumperStatus> dumper(NodeStatus status) {
        return status.parts().stream()
                .filter(DumperStatus.class::isInstance)
                .map(DumperStatus.class::cast)
                .findFirst();
    }

    private static List<Finding> reasons(NodeStatus status, State state) {
        List<Finding> reasons = new ArrayList<>();
        switch (state) {
            case STARTING -> reasons.add(new Finding("starting", "", "tributary status"));
            case ELECTING -> reasons.add(new Finding("no-leader", "", "tributary status"));
            case RETRYING -> reasons.add(new Finding("retrying", "", "tributary status"));
            case STOPPING -> reasons.add(new Finding("stopping", "", ""));
            default -> dumper(status).ifPresent(dumper -> addReasons(reasons, dumper));
        }
        return List.copyOf(reasons);
    }

    private static void addReasons(List<Finding> reasons, DumperStatus dumper) {
        if (dumper instanceof DumperStatus.Standalone standalone) {
            addReasons(reasons, Optional.of(standalone.readers()), standalone.replication());
        } else if (dumper instanceof DumperStatus.Leading leading) {
            addReasons(reasons, Optional.of(leading.readers()), leading.replication());
        } else if (dumper instanceof DumperStatus.Following following) {
            addReasons(reasons, following.readers(), Optional.empty());
        } else if (dumper instanceof DumperStatus.Copying copying) {
            addReasons(reasons, copying.readers(), Optional.empty());
        }
    }

    /** @param readers empty for a follower that serves no readers: it is ready when it copies */
    private static void addReasons(
            List<Finding> reasons, Optional<ReadersStatus> readers, Optional<ReplicationStatus> replication) {
        if (replication.filter(each -> each.followers().size() < each.needed()).isPresent()) {
            reasons.add(new Finding("no-quorum", "", "tributary status"));
        }
        if (readers.filter(each -> each.address().isEmpty()).isPresent()) {
            reasons.add(new Finding("not-serving", "", "tributary status"));
        }
    }

    private static long term(NodeStatus status) {
        long term = 0;
        for (StatusPart part : status.parts()) {
            if (part instanceof DumperStatus.Leading leading) {
                term = Math.max(term, leading.leader().epoch());
            } else if (part instanceof DumperStatus.Following following) {
                term = Math.max(term, following.leader().epoch());
            } else if (part instanceof DumperStatus.Copying copying) {
                term = Math.max(term, copying.epoch());
            } else if (part instanceof LeaderStatus known) {
                term = Math.max(term, known.leader().epoch());
            }
        }
        return term;
    }
}
