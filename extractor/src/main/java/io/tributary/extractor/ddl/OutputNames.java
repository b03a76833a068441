package io.tributary.extractor.ddl;

import io.tributary.common.value.TableName;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * The mapping of a shard's names to those of the output. The functions receive physical names, in lower case if the shard folds names.
 *
 * @param mapping from physical to logical names; a name with an empty table is a schema
 * @param isFiltered whether a physical schema is left out
 * @param isHidden whether a physical table name is a hidden one of an online schema change tool
 * @param foldsNames whether the shard compares names without regard to letter case (lower_case_table_names 1 or 2)
 */
public record OutputNames(
        UnaryOperator<TableName> mapping,
        Predicate<String> isFiltered,
        Predicate<String> isHidden,
        boolean foldsNames) {
    /** A mapping that leaves out nothing and keeps letter case. */
    static OutputNames of(UnaryOperator<TableName> mapping) {
        return new OutputNames(mapping, schema -> false, table -> false, false);
    }

    /** The name on the shard of a name in a statement. */
    TableName physical(TableName written) {
        return foldsNames
                ? new TableName(
                        written.schema().toLowerCase(Locale.ROOT),
                        written.table().toLowerCase(Locale.ROOT))
                : written;
    }

    /** The name in the output of a name in a statement. */
    TableName logical(TableName written) {
        return mapping.apply(physical(written));
    }

    /** Whether it is a hidden table, or in a schema that is left out. */
    public boolean leavesOut(TableName written) {
        TableName physical = physical(written);
        return isFiltered.test(physical.schema()) || !physical.table().isEmpty() && isHidden.test(physical.table());
    }
}
