package io.tributary.testkit.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A model for I16: at each transaction boundary a replica's table is the union of all members' rows up to the processed places. To each member's
 * rows, the statements are applied that are in the output but that the member has not executed yet.
 *
 * <p>All members have the same statements in the same order.
 */
public final class SchemaModel {
    private final List<ModelStep> steps;
    private final Map<String, ModelTable> members = new TreeMap<>();
    private final Map<String, Integer> had = new TreeMap<>();
    private final ModelTable replica = new ModelTable();

    /** @param members their names */
    public SchemaModel(List<ModelStep> steps, List<String> members) {
        this.steps = List.copyOf(steps);
        members.forEach(member -> {
            this.members.put(member, new ModelTable());
            had.put(member, 0);
        });
    }

    /** The replica's table. */
    public ModelTable replica() {
        return replica;
    }

    /** A member's table at the processed place of its shard. */
    public ModelTable member(String member) {
        return members.get(member);
    }

    /** Notes that a member's next statement was processed. */
    public void processed(String member) {
        int next = had.get(member);
        members.get(member).apply(steps.get(next));
        had.put(member, next + 1);
    }

    /** @throws AssertionError if the equation does not hold */
    public void check() {
        int written = had.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        Map<String, Map<String, String>> union = new TreeMap<>();
        ModelTable last = null;
        for (Map.Entry<String, ModelTable> member : members.entrySet()) {
            ModelTable forward = member.getValue().copy();
            for (ModelStep step : steps.subList(had.get(member.getKey()), written)) {
                if (step.kind() != ModelStep.Kind.CHECK && step.kind() != ModelStep.Kind.DROP_CHECK) {
                    forward.apply(step);
                }
            }
            union.putAll(forward.rows());
            last = forward;
        }
        List<String> wrong = new ArrayList<>();
        if (last != null
                && (last.exists() != replica.exists() || !last.columns().equals(replica.columns()))) {
            wrong.add("columns: expected " + last.columns() + ", found " + replica.columns());
        }
        if (!union.equals(replica.rows())) {
            wrong.add("rows: expected " + union + ", found " + replica.rows());
        }
        if (!wrong.isEmpty()) {
            throw new AssertionError("the replica is not the union of the members: " + String.join("; ", wrong)
                    + "; statements " + steps.subList(0, written) + " had by " + had);
        }
    }
}
