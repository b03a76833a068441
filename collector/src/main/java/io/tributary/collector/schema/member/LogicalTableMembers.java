package io.tributary.collector.schema.member;

import io.tributary.common.value.TableName;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The members of one logical table, immutable. If each physical name equals the logical one, only the shards are stored, so that many tables share
 * one object.
 */
final class LogicalTableMembers {
    static final LogicalTableMembers NONE = new LogicalTableMembers(new int[0], null);

    private final int[] shards;
    private final TableName[] physicals; // null: all have the logical name

    private LogicalTableMembers(int[] shards, TableName[] physicals) {
        this.shards = shards;
        this.physicals = physicals;
    }

    static LogicalTableMembers of(List<TableMember> members, TableName logical) {
        int[] shards = members.stream().mapToInt(TableMember::shard).toArray();
        boolean isPlain = members.stream().allMatch(each -> each.physical().equals(logical));
        return new LogicalTableMembers(
                shards,
                isPlain ? null : members.stream().map(TableMember::physical).toArray(TableName[]::new));
    }

    /** Whether other tables may share this object. */
    boolean isPlain() {
        return physicals == null;
    }

    boolean isEmpty() {
        return shards.length == 0;
    }

    boolean has(TableMember member, TableName logical) {
        for (int i = 0; i < shards.length; i++) {
            if (shards[i] == member.shard() && physical(i, logical).equals(member.physical())) {
                return true;
            }
        }
        return false;
    }

    private TableName physical(int index, TableName logical) {
        return physicals == null ? logical : physicals[index];
    }

    /** All members in the order in which they became known. */
    List<TableMember> all(TableName logical) {
        List<TableMember> all = new ArrayList<>(shards.length);
        for (int i = 0; i < shards.length; i++) {
            all.add(new TableMember(shards[i], physical(i, logical)));
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogicalTableMembers places
                && Arrays.equals(shards, places.shards)
                && Arrays.equals(physicals, places.physicals);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(shards) + Arrays.hashCode(physicals);
    }
}
