package io.tributary.seed.table;

import io.tributary.common.value.TableName;

/**
 * A view of the output.
 *
 * @param name schema and view, equal on the shard and in the output
 * @param createStatement CREATE VIEW as the shard shows it: it names the schema, and its definer must exist where it runs
 */
public record LogicalView(TableName name, String createStatement) {}
