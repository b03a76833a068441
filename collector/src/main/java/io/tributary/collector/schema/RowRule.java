package io.tributary.collector.schema;

import io.tributary.common.value.TableName;

/**
 * What to do with the rows of a member that has not executed a statement which has been written already.
 *
 * @param isLeftOut whether they are left out: the member's own statement will remove them
 * @param name the logical name under which they are written
 */
public record RowRule(boolean isLeftOut, TableName name) {}
