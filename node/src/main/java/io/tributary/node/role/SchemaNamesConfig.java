package io.tributary.node.role;

import io.tributary.common.config.Key;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The keys of shards and names that questions about schemas are answered with. They are those of extraction; a Dumper may have
 * them, and needs none.
 *
 * @param filterSchemas physical schemas that are not shown
 * @param shards by name
 * @param tableMap rules by name
 */
public record SchemaNamesConfig(
        @Key(
                value = "filter.schemas",
                byDefault = "mysql,sys,performance_schema,information_schema",
                about = "Schemas of the shards that are left out; schema tributary always is.")
        List<String> filterSchemas,

        @Key(value = "shard", about = "The shards.") Map<String, ShardConfig> shards,

        @Key(value = "table.map", about = "Rules from physical to logical table names.")
        Map<String, TableMapRule> tableMap) {
    private static final String OWN = "tributary";

    /** All schemas that are not shown. */
    List<String> hidden() {
        List<String> hidden = new ArrayList<>(filterSchemas);
        hidden.add(OWN);
        return hidden;
    }
}
