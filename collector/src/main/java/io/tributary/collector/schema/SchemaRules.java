package io.tributary.collector.schema;

import io.tributary.common.value.TableName;
import java.util.function.Predicate;

/**
 * What a configuration says of statements.
 *
 * @param refusesApproximate whether a statement that adds columns which each shard fills with values of its own holds its shard
 * @param ignoresDrop the physical tables whose DROP TABLE changes the member only
 * @param ignoresTruncate the physical tables whose TRUNCATE changes the member only
 * @param cutsGeneratedKeys whether the primary keys that servers made are cut from rows and definitions of tables of several members
 */
public record SchemaRules(
        boolean refusesApproximate,
        Predicate<TableName> ignoresDrop,
        Predicate<TableName> ignoresTruncate,
        boolean cutsGeneratedKeys) {
    /** As without a configuration. */
    public static final SchemaRules STANDARD = new SchemaRules(false, table -> false, table -> false, true);
}
