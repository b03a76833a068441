package io.tributary.seed.table;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.client.MysqlServerError;
import io.tributary.mysql.protocol.client.QueryResult;
import io.tributary.replay.session.SqlSession;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.sql.SqlNames;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The definitions in force at the end of a node's binlog, or after a transaction of it. */
public final class NodeDefinitions {
    private static final String SHOW = "SHOW TRIBUTARY SCHEMA";

    private final SqlSession node;
    private final String at;
    private final Map<TableName, TableDefinition> known = new HashMap<>();

    NodeDefinitions(SqlSession node) {
        this(node, "");
    }

    private NodeDefinitions(SqlSession node, String at) {
        this.node = node;
        this.at = at;
    }

    /** Those at the end, as far as the session's account may read the tables. */
    public static NodeDefinitions now(SqlSession node) {
        return new NodeDefinitions(node);
    }

    /**
     * Those after a transaction.
     *
     * @param node a session on the node's MySQL port; not owned
     */
    public static NodeDefinitions after(SqlSession node, Gtid transaction) {
        return new NodeDefinitions(node, " AT GTID '" + transaction + "'");
    }

    /** Reads all definitions, or those of these tables if all together are larger than the node's limit for an answer. */
    public Map<TableName, TableDefinition> read(Collection<TableName> tables) {
        try {
            add(node.query(SHOW + at));
        } catch (MysqlServerError e) {
            if (!e.is(MysqlError.ER_NET_PACKET_TOO_LARGE)) {
                throw node.failed(SHOW + at, e);
            }
            tables.forEach(this::addOne);
        }
        return known;
    }

    private void addOne(TableName name) {
        String like = name.toString().replaceAll("([\\\\%_])", "\\\\$1");
        String query = SHOW + at + " LIKE " + SqlNames.literal(like);
        try {
            add(node.query(query));
        } catch (MysqlServerError e) {
            throw node.failed(query, e);
        }
    }

    private void add(QueryResult rows) {
        for (int row = 0; row < rows.rows().size(); row++) {
            TableName name = new TableName(rows.text(row, "Schema"), rows.text(row, "Table"));
            TableDefinition definition = DefinitionReader.create(
                            rows.text(row, "Create_table"),
                            ReadSession.standard(name.schema()),
                            other -> Optional.empty())
                    .orElseThrow(() -> CatalogReader.unreadable(name, node.peer()));
            known.put(name, definition.named(name));
        }
    }
}
