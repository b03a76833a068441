package io.tributary.collector.schema;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The members of each logical table and schema, as of the processed position. They are known from the shards' lists of tables, from statements and
 * from table maps. About 130 bytes of heap for each table whose physical and logical names are the same. For one thread.
 */
final class TableMembers {
    private final Map<TableName, Places> places = new HashMap<>();
    private final Map<Places, Places> shared = new HashMap<>();

    /** Whether the table or schema has this member. */
    boolean has(TableName logical, Place member) {
        return places.getOrDefault(logical, Places.NONE).has(member, logical);
    }

    /** All members of a logical table, or of a logical schema (empty table). */
    List<Place> of(TableName logical) {
        return places.getOrDefault(logical, Places.NONE).all(logical);
    }

    /** @return whether it was not known */
    boolean add(TableName logical, Place member) {
        if (has(logical, member)) {
            return false;
        }
        List<Place> all = of(logical);
        all.add(member);
        put(logical, all);
        return true;
    }

    void remove(TableName logical, Place member) {
        List<Place> all = of(logical);
        if (all.remove(member)) {
            put(logical, all);
        }
    }

    private void put(TableName logical, List<Place> all) {
        if (all.isEmpty()) {
            places.remove(logical);
            return;
        }
        Places next = Places.of(all, logical);
        places.put(logical, next.isPlain() ? shared.computeIfAbsent(next, same -> same) : next);
    }

    /** Removes the schema and all its tables on a shard. */
    void removeSchema(Place schema) {
        removeIf(member -> member.schema().equals(schema));
    }

    /** Removes all members of a shard. */
    void removeShard(int shard) {
        removeIf(member -> member.shard() == shard);
    }

    private void removeIf(Predicate<Place> isRemoved) {
        for (TableName logical : List.copyOf(places.keySet())) {
            List<Place> all = of(logical);
            List<Place> left = new ArrayList<>(all);
            left.removeIf(isRemoved);
            if (left.size() < all.size()) {
                put(logical, left);
            }
        }
    }
}
