package io.tributary.collector.schema.member;

import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.TableName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Statements that have been received and not processed yet, by member; those of a member are in the order of its shard's log. For one thread. */
public final class ReceivedStatements {
    private final Map<TableMember, ArrayDeque<Arrival>> byMember = new HashMap<>();

    /** The effect of a statement on one member. */
    private record Arrival(Part part, Effect effect) {
        boolean creates() {
            return effect == Effect.CREATES || effect == Effect.BECOMES;
        }
    }

    public void received(int shard, Ddl ddl) {
        for (Part part : ddl.parts()) {
            for (Target target : part.targets()) {
                byMember.computeIfAbsent(new TableMember(shard, target.physical()), any -> new ArrayDeque<>(2))
                        .add(new Arrival(part, target.effect()));
            }
        }
    }

    /** The shard's oldest statement has been processed. */
    public void processed(int shard, Ddl ddl) {
        for (Part part : ddl.parts()) {
            for (Target target : part.targets()) {
                TableMember member = new TableMember(shard, target.physical());
                ArrayDeque<Arrival> left = byMember.get(member);
                if (left != null) {
                    left.poll();
                    if (left.isEmpty()) {
                        byMember.remove(member);
                    }
                }
            }
        }
    }

    public void removeShard(int shard) {
        byMember.keySet().removeIf(member -> member.shard() == shard);
    }

    /** How often this effect was received for the member, also under names that it will get. */
    public int count(TableMember member, String partId) {
        Set<TableMember> names = new LinkedHashSet<>();
        int count = 0;
        for (TableMember name = member; name != null && names.add(name); name = nextName(name)) {
            for (Arrival each : byMember.getOrDefault(name, new ArrayDeque<>(0))) {
                count += each.part.id().equals(partId) ? 1 : 0;
            }
        }
        return count;
    }

    /** Whether a member will get this name. */
    public boolean becomes(TableMember member, TableMember other) {
        Set<TableMember> names = new LinkedHashSet<>();
        for (TableMember name = member; name != null && names.add(name); name = nextName(name)) {
            if (name.equals(other)) {
                return true;
            }
        }
        return false;
    }

    /** The next name that a member will get; null if it keeps its own. */
    private TableMember nextName(TableMember member) {
        for (Arrival each : byMember.getOrDefault(member, new ArrayDeque<>(0))) {
            List<Target> targets = each.part.targets();
            for (int i = 0; each.effect == Effect.RENAMES && i + 1 < targets.size(); i++) {
                boolean isRenamed = targets.get(i).effect() == Effect.RENAMES
                        && targets.get(i).physical().equals(member.physical());
                if (isRenamed) {
                    return new TableMember(member.shard(), targets.get(i + 1).physical());
                }
            }
        }
        return null;
    }

    /** Whether the schema of the member will be removed. */
    public boolean removesSchemaOf(TableMember member) {
        for (Arrival each : byMember.getOrDefault(member.schema(), new ArrayDeque<>(0))) {
            if (each.effect == Effect.REMOVES) {
                return true;
            }
        }
        return false;
    }

    /** Whether the next statement creates the member, so that it does not exist yet. */
    public boolean isStillToBeCreated(TableMember member) {
        ArrayDeque<Arrival> left = byMember.get(member);
        if (left == null) {
            return false;
        }
        Arrival first = left.peek();
        return !first.part.conditional() && first.creates();
    }

    /** The same, or the next statement creates the member if it does not exist. */
    public boolean createsNext(TableMember member) {
        ArrayDeque<Arrival> left = byMember.get(member);
        return left != null && left.peek().creates();
    }

    /** Whether any statement that is not processed yet creates the member, or may create it. */
    public boolean createsAny(TableMember member) {
        return byMember.getOrDefault(member, new ArrayDeque<>(0)).stream().anyMatch(Arrival::creates);
    }

    /** The members of a table of which a CREATE TABLE has been received and not processed. */
    public List<TableMember> toBeCreated(TableName table) {
        List<TableMember> found = new ArrayList<>();
        byMember.forEach((member, left) -> {
            for (Arrival each : left) {
                boolean isOfTable = each.effect == Effect.CREATES
                        && each.part.targets().get(0).logical().equals(table);
                if (isOfTable && !found.contains(member)) {
                    found.add(member);
                }
            }
        });
        return found;
    }

    /** The members of a table that will be created, and for which this effect was received after that. */
    public List<TableMember> createdBefore(TableName table, String partId) {
        List<TableMember> found = new ArrayList<>();
        byMember.forEach((member, left) -> {
            if (isCreatedBefore(left, new Target(Effect.CREATES, table, member.physical()), partId)) {
                found.add(member);
            }
        });
        return found;
    }

    private static boolean isCreatedBefore(Iterable<Arrival> arrivals, Target created, String partId) {
        boolean isCreated = false;
        for (Arrival next : arrivals) {
            if (isCreated && next.part.id().equals(partId)) {
                return true;
            }
            if (isCreated && (next.effect == Effect.REMOVES || next.effect == Effect.RENAMES)) {
                return false;
            }
            isCreated |= next.creates()
                    && next.part.targets().stream()
                            .anyMatch(target -> target.logical().equals(created.logical())
                                    && target.physical().equals(created.physical()));
        }
        return false;
    }
}
