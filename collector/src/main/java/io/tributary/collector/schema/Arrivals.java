package io.tributary.collector.schema;

import io.tributary.common.value.Ddl;
import io.tributary.common.value.Ddl.Effect;
import io.tributary.common.value.Ddl.Part;
import io.tributary.common.value.Ddl.Target;
import io.tributary.common.value.TableName;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Statements that have been received and not processed yet, by member, each member's in the order of its shard's log. For one thread. */
final class Arrivals {
    private final Map<Place, ArrayDeque<Arrival>> byMember = new HashMap<>();

    /** What a statement does to one member. */
    private record Arrival(Part part, Effect effect) {
        boolean creates() {
            return effect == Effect.CREATES || effect == Effect.BECOMES;
        }
    }

    void received(int shard, Ddl ddl) {
        for (Part part : ddl.parts()) {
            for (Target target : part.targets()) {
                byMember.computeIfAbsent(new Place(shard, target.physical()), any -> new ArrayDeque<>(2))
                        .add(new Arrival(part, target.effect()));
            }
        }
    }

    /** The shard's oldest statement has been processed. */
    void processed(int shard, Ddl ddl) {
        for (Part part : ddl.parts()) {
            for (Target target : part.targets()) {
                Place member = new Place(shard, target.physical());
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

    void removeShard(int shard) {
        byMember.keySet().removeIf(member -> member.shard() == shard);
    }

    /** How often this effect has been received by the member. */
    int count(Place member, String partId) {
        int count = 0;
        for (Arrival each : byMember.getOrDefault(member, new ArrayDeque<>(0))) {
            count += each.part.id().equals(partId) ? 1 : 0;
        }
        return count;
    }

    /** Whether the schema of the member is to be removed. */
    boolean removesSchemaOf(Place member) {
        for (Arrival each : byMember.getOrDefault(member.schema(), new ArrayDeque<>(0))) {
            if (each.effect == Effect.REMOVES) {
                return true;
            }
        }
        return false;
    }

    /** Whether what comes next creates the member, so that it does not exist yet. */
    boolean isStillToBeCreated(Place member) {
        ArrayDeque<Arrival> left = byMember.get(member);
        if (left == null) {
            return false;
        }
        Arrival first = left.peek();
        return !first.part.conditional() && first.creates();
    }

    /** The same, or what comes next creates the member if it does not exist. */
    boolean createsNext(Place member) {
        ArrayDeque<Arrival> left = byMember.get(member);
        return left != null && left.peek().creates();
    }

    /** Whether anything that is still to be processed creates the member, or may. */
    boolean createsAny(Place member) {
        return byMember.getOrDefault(member, new ArrayDeque<>(0)).stream().anyMatch(Arrival::creates);
    }

    /** Whether the member is to be created, and this effect to reach it after that. */
    boolean isCreatedBefore(Place member, String partId) {
        return isStillToBeCreated(member) && isBehindCreation(byMember.get(member), partId);
    }

    /** The members of a table that are to be created, and which this effect is to reach after that. */
    List<Place> createdBefore(TableName table, String partId) {
        List<Place> found = new ArrayList<>();
        byMember.forEach((member, left) -> {
            boolean isOfTable = left.peek().creates()
                    && left.peek().part.targets().stream()
                            .anyMatch(target -> target.logical().equals(table)
                                    && target.physical().equals(member.physical()));
            if (isOfTable && isBehindCreation(left, partId)) {
                found.add(member);
            }
        });
        return found;
    }

    private static boolean isBehindCreation(ArrayDeque<Arrival> arrivals, String partId) {
        Iterator<Arrival> left = arrivals.iterator();
        left.next();
        while (left.hasNext()) {
            Arrival next = left.next();
            if (next.part.id().equals(partId)) {
                return true;
            }
            if (next.effect == Effect.REMOVES || next.effect == Effect.RENAMES) {
                return false;
            }
        }
        return false;
    }
}
