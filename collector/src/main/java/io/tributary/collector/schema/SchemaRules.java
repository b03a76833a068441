package io.tributary.collector.schema;

import io.tributary.common.value.TableName;
import java.util.function.Predicate;

/**
 * The configuration of statements.
 *
 * @param refusesApproximate whether a statement that adds columns which each shard fills with its own values holds its shard
 * @param ignoresDrop the physical tables whose DROP TABLE changes the member only
 * @param ignoresTruncate the physical tables whose TRUNCATE changes the member only
 * @param cutsGeneratedKeys whether generated primary keys are removed from rows and definitions of tables of several members
 */
public record SchemaRules(
        boolean refusesApproximate,
        Predicate<TableName> ignoresDrop,
        Predicate<TableName> ignoresTruncate,
        boolean cutsGeneratedKeys) {
    /** The rules without a configuration. */
    public static final SchemaRules STANDARD = new SchemaRules(false, table -> false, table -> false, true);
}
