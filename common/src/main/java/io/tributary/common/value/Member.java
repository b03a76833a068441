package io.tributary.common.value;

/**
 * A part of a logical table: a physical table on one shard. For a schema the physical table is empty.
 *
 * @param shard the shard's name
 * @param physical the name on that shard
 */
public record Member(String shard, TableName physical) {
    /** The form that operators read and write, such as {@code s1:shop.orders_0}. */
    @Override
    public String toString() {
        return shard + ":" + physical;
    }
}
