package io.tributary.node.dumper;

import io.tributary.common.config.Key;
import io.tributary.extractor.ShardConfig;
import io.tributary.extractor.TableMapRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The keys of shards and names for queries about schemas. They are the same keys as for extraction; they are optional on a Dumper.
 *
 * @param filterSchemas physical schemas that are not shown
 * @param ddlHidden tables of online schema change tools, which are not shown either
 * @param shards by name
 * @param tableMap rules by name
 */
public record SchemaNamesConfig(
        @Key(
                value = "filter.schemas",
                byDefault = "mysql,sys,performance_schema,information_schema",
                about = "Schemas of the shards that are left out; the schema tributary is always left out.")
        List<String> filterSchemas,

        @Key(
                value = "ddl.hidden",
                byDefault = "gh-ost,pt-osc,vitess,spirit",
                about = "Tables of online schema change tools that are left out: gh-ost, pt-osc, vitess,"
                        + " spirit, or regular expressions that must match the whole physical table name;"
                        + " empty: none.")
        List<String> ddlHidden,

        @Key(value = "shard", about = "The shards.") Map<String, ShardConfig> shards,

        @Key(value = "table.map", about = "Rules from physical to logical table names.")
        Map<String, TableMapRule> tableMap) {
    private static final String OWN = "tributary";
    private static final List<String> SYSTEM = List.of("mysql", "sys", "performance_schema", "information_schema");

    /** All schemas that queries do not show. */
    List<String> hidden() {
        List<String> hidden = new ArrayList<>(filterSchemas);
        hidden.addAll(SYSTEM);
        hidden.add(OWN);
        return hidden;
    }
}
