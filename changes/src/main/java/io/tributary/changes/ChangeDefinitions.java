package io.tributary.changes;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.schema.definition.TableDefinition;
import java.util.Optional;

/** Where the definitions of tables come from. */
@FunctionalInterface
public interface ChangeDefinitions {
    /**
     * The definition of a table that is valid for the events after a transaction, and for the rows of this transaction.
     *
     * @return empty if there is no such table, or the account may not read it
     * @throws io.tributary.common.error.TributaryException READER_REFUSED, NODE_UNREACHABLE, or REPLAY_FAILED for a definition that cannot be read
     */
    Optional<TableDefinition> after(Gtid transaction, TableName table);
}
