package io.tributary.system.ddl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.local.LocalCluster;
import io.tributary.schema.definition.Check;
import io.tributary.schema.definition.ForeignKey;
import io.tributary.schema.definition.TableConstraints;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.definition.TableKey;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.Sql;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/**
 * A test of I20: the definitions of the journal at a position are those of a replica that has applied the binlog up to there. It is checked after
 * each of a random series of schema changes that arrive shard by shard. Another series: {@code -Dseed=S}; a longer one: {@code -Dddl.changes=N} for
 * each of the tables.
 */
class JournalDifferentialIT {
    private static final int SHARDS = 2;
    private static final int CHANGES = Integer.getInteger("ddl.changes", 10);
    private static final long SEED = Long.getLong("seed", 20261123);
    private static final AtomicLong IDS = new AtomicLong(1_000_000);
    private static final String SCHEMA = "journal";

    /** Tables whose series run alternately: some changes cannot be in the same series as a RENAME. */
    private static final List<String> TABLES = List.of("a", "b");

    @Test
    void theJournalAtEachPositionHasTheDefinitionsOfAReplica(@TempDir Path folder) throws Exception {
        LoggerFactory.getLogger(getClass()).info("seed {}", SEED);
        Random random = new Random(SEED);
        try (DdlCluster cluster = DdlCluster.start(folder, SHARDS, config -> config)) {
            cluster.onEach("CREATE DATABASE " + SCHEMA);
            cluster.awaitReplicated();
            List<List<SoakStep>> left = new ArrayList<>();
            for (String table : TABLES) {
                left.add(new ArrayList<>(SoakScript.of(SCHEMA, table, CHANGES, random)));
            }
            Set<String> kinds = new TreeSet<>();
            int statements = 0;
            while (left.stream().anyMatch(steps -> !steps.isEmpty())) {
                List<List<SoakStep>> open =
                        left.stream().filter(steps -> !steps.isEmpty()).toList();
                SoakStep step = open.get(random.nextInt(open.size())).remove(0);
                kinds.add(step.kind());
                statements += run(cluster, step, random);
            }
            cluster.awaitReplicated();
            cluster.awaitNothingListed();
            cluster.assertSameTables(SCHEMA);
            assertTrue(statements >= TABLES.size() * CHANGES * SHARDS, statements + " statements");
            LoggerFactory.getLogger(getClass()).info("{} statements of the kinds {}", statements, kinds);
        }
    }

    /** Runs a change on each shard, one after another, and returns the number of its statements. */
    private static int run(DdlCluster cluster, SoakStep step, Random random) throws SQLException {
        int count = 0;
        int first = random.nextInt(SHARDS);
        for (int turn = 0; turn < SHARDS; turn++) {
            int shard = (first + turn) % SHARDS + 1;
            for (String statement : step.statements(shard, random, IDS::incrementAndGet)) {
                cluster.on(shard, statement);
                count++;
                if (turn == SHARDS - 1) {
                    cluster.awaitReplicated(); // the last statement releases those that waited, and what follows them
                    // on the other shards
                } else {
                    awaitProcessed(cluster, cluster.shard(shard));
                }
                assertAsReplica(cluster, "seed " + SEED + ", after " + statement + " of s" + shard);
            }
        }
        return count;
    }

    /** Waits until the node has written all of the shard, or until the rest waits for a statement of the other shard. */
    private static void awaitProcessed(DdlCluster cluster, MysqlServer shard) throws SQLException {
        GtidSet executed = GtidSet.parse(shard.gtidExecuted());
        cluster.until(() -> "the node to process all of " + shard.name(), () -> {
            boolean isWritten = cluster.node()
                    .fact("frontier." + shard.name())
                    .map(GtidSet::parse)
                    .filter(written -> written.containsAll(executed))
                    .isPresent();
            return isWritten || isWaiting(cluster);
        });
    }

    private static boolean isWaiting(DdlCluster cluster) {
        return cluster.node().ask("/ddl").flatMap(DdlList::parse).stream()
                .flatMap(list -> list.statements().stream())
                .anyMatch(statement -> statement.state().equals("waiting"));
    }

    private static void assertAsReplica(DdlCluster cluster, String when) throws SQLException {
        String position = cluster.cluster().gtidExecuted();
        cluster.replica().awaitGtids(position, DdlCluster.LIMIT);
        Map<String, TableDefinition> there = new TreeMap<>();
        try (Sql replica = cluster.replica().server().sql()) {
            for (Map<String, String> row : replica.rows("SELECT table_name AS name FROM information_schema.tables"
                    + " WHERE table_schema = '" + SCHEMA + "'")) {
                String name = row.get("name");
                Map<String, String> shown = replica.rows("SHOW CREATE TABLE " + SCHEMA + ".`" + name + "`")
                        .get(0);
                there.put(SCHEMA + "." + name, read(shown.get("Create Table"), name));
            }
        }
        assertEquals(there, journal(cluster, " AT GTID '" + position + "'"), when);
        assertEquals(there, journal(cluster, ""), when);
    }

    private static Map<String, TableDefinition> journal(DdlCluster cluster, String at) throws SQLException {
        Map<String, TableDefinition> known = new TreeMap<>();
        try (Sql tool =
                Sql.open(cluster.cluster().servePort(), LocalCluster.READER.name(), LocalCluster.READER.password())) {
            for (Map<String, String> row : tool.rows("SHOW TRIBUTARY SCHEMA" + at + " LIKE '" + SCHEMA + ".%'")) {
                known.put(row.get("Schema") + "." + row.get("Table"), read(row.get("Create_table"), row.get("Table")));
            }
        }
        return known;
    }

    /** The definition in a text, with keys and constraints in the order of their names. */
    private static TableDefinition read(String text, String table) {
        TableDefinition read = DefinitionReader.create(text, ReadSession.standard(SCHEMA), other -> Optional.empty())
                .orElseThrow(() -> new AssertionError("not read: " + text));
        return new TableDefinition(
                new TableName(SCHEMA, table),
                read.columns(),
                read.keys().stream()
                        .sorted(Comparator.comparing(TableKey::name))
                        .toList(),
                new TableConstraints(
                        read.foreignKeys().stream()
                                .sorted(Comparator.comparing(ForeignKey::name))
                                .toList(),
                        read.checks().stream()
                                .sorted(Comparator.comparing(Check::name))
                                .toList()),
                read.collation());
    }
}
