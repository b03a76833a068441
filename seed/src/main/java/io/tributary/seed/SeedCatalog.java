package io.tributary.seed;

import io.tributary.common.value.TableName;
import io.tributary.extractor.check.TableNames;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.TableCatalog;
import java.util.List;
import java.util.function.Predicate;

/** Reads what there is to seed. For one thread. */
final class SeedCatalog {
    private final MysqlClient client;
    private final Servers servers;
    private final Scope scope;
    private final SqlSession node;
    private final StreamDefinitions definitions;

    /**
     * Which tables are seeded.
     *
     * @param isSeeded whether a table of the output is seeded; with an empty table name: a schema
     * @param names the mapping of the node's configuration
     */
    record Scope(Predicate<TableName> isSeeded, TableNames names) {}

    /**
     * What was found.
     *
     * @param all everything in the stream
     * @param seeded the tables that are seeded
     */
    record Found(TableCatalog all, List<LogicalTable> seeded) {}

    /**
     * The servers of a stream.
     *
     * @param shards all shards of the stream
     * @param source the node, with the account with which the seeded server will replicate
     */
    record Servers(List<Peer> shards, Peer source) {}

    /** @param node a session on the node's MySQL port; not owned */
    SeedCatalog(MysqlClient client, Servers servers, Scope scope, SqlSession node, StreamDefinitions definitions) {
        this.client = client;
        this.servers = servers;
        this.scope = scope;
        this.node = node;
        this.definitions = definitions;
    }

    /** Reads it; refuses tables that the account of the source may not read. */
    Found read() {
        TableCatalog all = TableCatalog.read(client, node, servers.shards(), scope.names());
        List<LogicalTable> seeded = all.tables().stream()
                .filter(table -> scope.isSeeded().test(table.name()))
                .toList();
        try (SqlSession reader = SqlSession.open(client, servers.source())) {
            definitions.requireReadable(reader, seeded);
        }
        return new Found(all, seeded);
    }
}
