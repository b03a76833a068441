package io.tributary.seed.table;

import io.tributary.common.error.TributaryException;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.list.SchemaDefault;
import java.util.List;
import java.util.Map;

/**
 * What a replica must have before rows are written into it.
 *
 * @param tables all tables of the output, by name; a table that the shards have dropped and the stream has not has no members
 * @param schemas the output's schemas with their defaults
 * @param views those that can be made as they are; a view may use others that come later in the list
 * @param leftOut what a replica does not get, each with the reason, such as {@code view shop.v: ...}; never a table with rows
 */
public record TableCatalog(
        List<LogicalTable> tables, List<SchemaDefault> schemas, List<LogicalView> views, List<String> leftOut) {
    public TableCatalog {
        tables = List.copyOf(tables);
        schemas = List.copyOf(schemas);
        views = List.copyOf(views);
        leftOut = List.copyOf(leftOut);
    }

    /**
     * Reads the definitions in force from the node's binlog, and members, schemas and views from the shards.
     *
     * @param node a session on the node's MySQL port, whose user may read all tables; not owned
     * @param shards all shards of the stream
     * @param names the mapping of the node
     * @throws TributaryException SHARD_UNREACHABLE, SHARD_LOGIN_REFUSED, SHARD_UNFIT if an account does not see all tables, SQL_FAILED,
     *     NODE_UNREACHABLE, READER_REFUSED, SEED_FAILED if the definition of a table cannot be read
     */
    public static TableCatalog read(MysqlClient client, SqlSession node, List<Peer> shards, TableNames names) {
        return new CatalogReader(client, shards, names).read(new NodeDefinitions(node)::read);
    }

    /**
     * The same without a node: the definition of a table is that of its first member.
     *
     * @throws TributaryException as {@link #read}
     */
    public static TableCatalog ofShards(MysqlClient client, List<Peer> shards, TableNames names) {
        return new CatalogReader(client, shards, names).read(tables -> Map.of());
    }
}
