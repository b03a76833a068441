package io.tributary.collector.schema;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.DdlDecision;
import java.util.ArrayList;
import java.util.List;

/** The decisions of operators on waiting statements that have not been executed yet. For one thread. */
final class OperatorDecisions {
    /** A shorter prefix of an id is not accepted. */
    private static final int SHORTEST_ID = 4;

    private final List<DdlDecision> decisions;

    OperatorDecisions(List<DdlDecision> decisions) {
        this.decisions = new ArrayList<>(decisions);
    }

    static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.DECISION_REFUSED, message);
    }

    /** Whether a decision is for this id: it contains the id or a prefix of it. */
    static boolean isMeant(DdlDecision decision, String id) {
        return decision.id().equals(id) || decision.id().length() >= SHORTEST_ID && id.startsWith(decision.id());
    }

    void add(DdlDecision decision) {
        decisions.add(decision);
    }

    void remove(DdlDecision decision) {
        decisions.remove(decision);
    }

    List<DdlDecision> all() {
        return List.copyOf(decisions);
    }

    /** Whether there is a decision on a part that a member has executed. */
    boolean concerns(Part part, String member) {
        return decisions.stream().anyMatch(each -> isFor(each, part, member));
    }

    /** Removes and returns the decision on a part that a member has executed; null if there is none. */
    DdlDecision poll(Part part, String member) {
        for (DdlDecision each : decisions) {
            if (isFor(each, part, member)) {
                decisions.remove(each);
                return each;
            }
        }
        return null;
    }

    /** Removes and returns all decisions that write a part, or end the wait for it. */
    List<DdlDecision> pollAll(Part part) {
        List<DdlDecision> taken = new ArrayList<>();
        for (DdlDecision decision = poll(part, ""); decision != null; decision = poll(part, "")) {
            taken.add(decision);
        }
        return taken;
    }

    /** A member's statement was received without waiting: a decision to ignore it does not apply to a later one. */
    void forget(Part part, String member) {
        decisions.removeIf(each -> (each.verb() == DdlDecision.Verb.IGNORE || each.verb() == DdlDecision.Verb.TEXT)
                && isMeant(each, part.id())
                && each.member().equals(member));
    }

    /** A shard has left. */
    void forget(String shard) {
        decisions.removeIf(each -> each.member().startsWith(shard + ":"));
    }

    private static boolean isFor(DdlDecision decision, Part part, String member) {
        boolean isOfMember = decision.verb() == DdlDecision.Verb.IGNORE || decision.verb() == DdlDecision.Verb.TEXT;
        return isMeant(decision, part.id()) && (!isOfMember || decision.member().equals(member));
    }

    boolean skips(String id) {
        return decisions.stream().anyMatch(each -> each.verb() == DdlDecision.Verb.SKIP && isMeant(each, id));
    }
}
