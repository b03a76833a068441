package io.tributary.collector.schema;

/**
 * What a configuration says of statements.
 *
 * @param refusesApproximate whether a statement that adds columns which each shard fills with values of its own holds its shard
 */
public record SchemaRules(boolean refusesApproximate) {
    /** As without a configuration. */
    public static final SchemaRules STANDARD = new SchemaRules(false);
}
