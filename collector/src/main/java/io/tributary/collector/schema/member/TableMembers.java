package io.tributary.collector.schema.member;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The members of each logical table and schema, as of the processed position. They are known from the shards' lists of tables, from statements and
 * from table maps. About 130 bytes of heap for each table whose physical and logical names are the same. For one thread.
 */
public final class TableMembers {
    private final Map<TableName, LogicalTableMembers> places = new HashMap<>();
    private final Map<LogicalTableMembers, LogicalTableMembers> shared = new HashMap<>();

    /** Whether the table or schema has this member. */
    public boolean has(TableName logical, TableMember member) {
        return places.getOrDefault(logical, LogicalTableMembers.NONE).has(member, logical);
    }

    /** All members of a logical table, or of a logical schema (empty table). */
    public List<TableMember> of(TableName logical) {
        return places.getOrDefault(logical, LogicalTableMembers.NONE).all(logical);
    }

    /** The logical table or schema that has this member; empty if it is not known. Unless both have the same name, all tables are searched. */
    public Optional<TableName> logical(TableMember member) {
        return has(member.physical(), member)
                ? Optional.of(member.physical())
                : places.keySet().stream()
                        .filter(logical -> has(logical, member))
                        .findFirst();
    }

    /** @return whether it was not known */
    public boolean add(TableName logical, TableMember member) {
        if (has(logical, member)) {
            return false;
        }
        List<TableMember> all = of(logical);
        all.add(member);
        put(logical, all);
        return true;
    }

    public void remove(TableName logical, TableMember member) {
        List<TableMember> all = of(logical);
        if (all.remove(member)) {
            put(logical, all);
        }
    }

    private void put(TableName logical, List<TableMember> all) {
        if (all.isEmpty()) {
            places.remove(logical);
            return;
        }
        LogicalTableMembers next = LogicalTableMembers.of(all, logical);
        places.put(logical, next.isPlain() ? shared.computeIfAbsent(next, same -> same) : next);
    }

    /** Removes the schema and all its tables on a shard. */
    public void removeSchema(TableMember schema) {
        removeIf(member -> member.schema().equals(schema));
    }

    /** Removes all members of a shard. */
    public void removeShard(int shard) {
        removeIf(member -> member.shard() == shard);
    }

    private void removeIf(Predicate<TableMember> isRemoved) {
        for (TableName logical : List.copyOf(places.keySet())) {
            List<TableMember> all = of(logical);
            List<TableMember> left = new ArrayList<>(all);
            left.removeIf(isRemoved);
            if (left.size() < all.size()) {
                put(logical, left);
            }
        }
    }
}
