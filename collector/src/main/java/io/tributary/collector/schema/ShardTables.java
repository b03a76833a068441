package io.tributary.collector.schema;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.list.TableTexts;
import java.util.List;

/**
 * The tables and schemas of a shard, and their definitions. They were read between two moments. The definition of a table did not change between
 * them, unless a DDL statement of a transaction of the span names the table; then it may be the one before or after that
 * statement. If the shard allowed no DDL statement meanwhile, there is none.
 *
 * @param server the version of the shard's server
 * @param span the two moments
 * @param names logical and physical name of each base table that is not left out or hidden, and of each schema (empty table)
 * @param definitions a CREATE TABLE statement by physical name, as SHOW CREATE TABLE returns it in a session with an empty sql_mode and time_zone
 *     +00:00, for the tables that could be read, also hidden ones; names without a schema belong to the table's own schema
 * @param defaults of the schemas that are not left out
 */
public record ShardTables(
        ServerVersion server, ReadSpan span, List<Name> names, TableTexts definitions, List<SchemaDefault> defaults) {
    public ShardTables {
        names = List.copyOf(names);
        defaults = List.copyOf(defaults);
    }

    /**
     * The moments between which tables were read: a transaction in {@code executed} minus {@code before} was executed meanwhile.
     *
     * @param before all GTIDs that the shard had executed before anything was read
     * @param executed all GTIDs that the shard had executed when everything had been read; must be read after that
     */
    public record ReadSpan(GtidSet before, GtidSet executed) {}

    /** All GTIDs that the shard had executed before anything was read. */
    public GtidSet before() {
        return span.before();
    }

    /** All GTIDs that the shard had executed when everything had been read. */
    public GtidSet executed() {
        return span.executed();
    }

    /** One table or schema. */
    public record Name(TableName logical, TableName physical) {}
}
