package io.tributary.extractor.stream;

import io.tributary.common.value.TableName;
import io.tributary.extractor.AccountFilter;
import io.tributary.extractor.SchemaFilter;
import io.tributary.extractor.TableMapping;
import io.tributary.extractor.ddl.DdlStatement;
import io.tributary.extractor.ddl.HiddenTables;
import io.tributary.extractor.ddl.OutputNames;
import java.util.List;

/**
 * The rules for statements: which are left out of the global binlog, and how the names in the others are mapped. Immutable.
 *
 * @param schemas physical schemas that are left out
 * @param hidden tables of online schema change tools
 * @param accounts the handling of account statements
 * @param mapping from physical to logical names
 */
public record StatementFilter(SchemaFilter schemas, HiddenTables hidden, AccountFilter accounts, TableMapping mapping) {
    /** Whether a statement is left out: everything that it changes is left out. */
    boolean leavesOut(DdlStatement statement) {
        return switch (statement.kind()) {
            case SERVER, TRANSACTION -> true;
            case ACCOUNT -> accounts == AccountFilter.DROP;
            default -> {
                List<TableName> targets = statement.targets();
                yield !targets.isEmpty() && targets.stream().allMatch(target -> schemas.leavesOut(target.schema()));
            }
        };
    }

    /**
     * The mapping of names to those of the output.
     *
     * @param foldsNames whether the shard compares names without regard to letter case
     */
    OutputNames names(boolean foldsNames) {
        return new OutputNames(mapping, schemas::leavesOut, hidden::hides, foldsNames);
    }
}
