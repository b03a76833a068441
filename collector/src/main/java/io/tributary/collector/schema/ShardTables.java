package io.tributary.collector.schema;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.list.TableTexts;
import java.util.List;

/**
 * The tables and schemas of a shard, and their definitions. They were read between two moments: the definition of a table that no DDL
 * statement of a transaction in {@code executed} minus {@code before} names was the same at both and between them. That of another table may be
 * the one before or behind such a statement. Where the shard let no DDL statement run meanwhile, there is none.
 *
 * @param server whose they are
 * @param before all GTIDs that the shard had executed before anything was read
 * @param executed all GTIDs that the shard had executed when everything had been read: to be asked for after it
 * @param names logical and physical name of each base table that is not left out or hidden, and of each schema (empty table)
 * @param definitions a CREATE TABLE statement by physical name, as SHOW CREATE TABLE answers in a session with an empty sql_mode and
 *     time_zone +00:00, for the tables that could be read, hidden ones among them; names without a schema are of the table's own
 * @param defaults of the schemas that are not left out
 */
public record ShardTables(
        ServerVersion server,
        GtidSet before,
        GtidSet executed,
        List<Name> names,
        TableTexts definitions,
        List<SchemaDefault> defaults) {
    public ShardTables {
        names = List.copyOf(names);
        defaults = List.copyOf(defaults);
    }

    /** Names without definitions. */
    public ShardTables(GtidSet executed, List<Name> names) {
        this(ServerVersion.STANDARD, executed, executed, names, TableTexts.NONE, List.of());
    }

    /** One of them. */
    public record Name(TableName logical, TableName physical) {}
}
