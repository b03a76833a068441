package io.tributary.system.ddl;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests of schema changes whose effect depends on more than their text; they run on one shard after another, with rows in between. */
class DdlEdgesIT {
    private static final int SHARDS = 2;

    @TempDir
    private static Path folder;

    @RegisterExtension
    private static final SharedCluster SHARED = new SharedCluster(number ->
            DdlCluster.start(folder.resolve("cluster-" + number), SHARDS, config -> config.set("ddl.warn", "300ms")));

    /** With NO_ZERO_DATE an ALTER succeeds if the table is empty, and fails otherwise. */
    @Test
    void aDateWithoutADefaultIsZeroInRowsOfMembersThatLag() throws Exception {
        cluster().onEach("CREATE DATABASE zero", "CREATE TABLE zero.t (id INT PRIMARY KEY)");
        cluster().on(2, "INSERT INTO zero.t VALUES (11)");
        String alter =
                "ALTER TABLE zero.t ADD COLUMN d DATE NOT NULL, ADD COLUMN dt DATETIME(3) NOT NULL, ADD COLUMN ts TIMESTAMP NOT NULL";
        cluster().on(1, "SET SESSION sql_mode = 'STRICT_TRANS_TABLES'", alter);
        cluster().awaitWritten(cluster().shard(1));
        cluster().on(2, "INSERT INTO zero.t VALUES (12)", "DELETE FROM zero.t WHERE id = 11");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM zero.t WHERE id = 12 AND CAST(d AS CHAR) = '0000-00-00'");
        cluster().on(2, "SET SESSION sql_mode = ''", alter, "UPDATE zero.t SET id = 13 WHERE id = 12");
        cluster().awaitReplicated();
        cluster().assertUnion("zero");
        cluster().assertSameDefinition("zero", "t");
        cluster().awaitNothingListed();
    }

    @Test
    void theStricterMemberMayRunTheStatementFirst() throws Exception {
        cluster().onEach("CREATE DATABASE strict", "CREATE TABLE strict.t (id INT PRIMARY KEY)");
        cluster().on(2, "INSERT INTO strict.t VALUES (11)");
        cluster().awaitReplicated();
        String alter = "ALTER TABLE strict.t ADD COLUMN d DATE NOT NULL";
        cluster().on(1, "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ZERO_DATE,NO_ZERO_IN_DATE'", alter);
        cluster().on(2, "INSERT INTO strict.t VALUES (12)", "SET SESSION sql_mode = ''", alter);
        cluster().awaitReplicated();
        cluster().assertUnion("strict");
        cluster().awaitNothingListed();
    }

    /** For tables whose statement contains no character set. */
    @Test
    void textsHaveTheCharacterSetOfTheirSchema() throws Exception {
        cluster().onEach("CREATE DATABASE made CHARACTER SET latin1", "CREATE DATABASE altered");
        cluster().onEach("ALTER DATABASE altered COLLATE = latin1_german1_ci", "CREATE DATABASE listed CHARSET = gbk");
        cluster().awaitReplicated();
        cluster().killAndRestart();
        for (String schema : List.of("made", "altered", "listed")) {
            String table = schema + ".t";
            cluster().onEach("CREATE TABLE " + table + " (id INT PRIMARY KEY, s VARCHAR(10), e ENUM('a','b'))");
            cluster().on(1, "INSERT INTO " + table + " VALUES (1, 'é', 'a')");
            cluster().on(2, "INSERT INTO " + table + " VALUES (11, 'é', 'b')");
            String alter = "ALTER TABLE " + table + " ADD COLUMN c VARCHAR(5) DEFAULT 'ü' FIRST";
            cluster().on(1, alter, "INSERT INTO " + table + " VALUES ('ü', 2, 'éé', 'b')");
            cluster().awaitWritten(cluster().shard(1));
            cluster()
                    .on(
                            2,
                            "INSERT INTO " + table + " VALUES (12, 'éé', 'a')",
                            "UPDATE " + table + " SET s = 'ê' WHERE id = 11");
            cluster().awaitReplicated();
            cluster().awaitReplica("1", "SELECT COUNT(*) FROM " + table + " WHERE id = 12 AND s = 'éé' AND c = 'ü'");
            cluster().on(2, alter, "DELETE FROM " + table + " WHERE id = 12");
            cluster().awaitReplicated();
        }
        cluster().assertUnion("made", "altered", "listed");
        cluster().awaitNothingListed();
    }

    @Test
    void aScriptMayRunWholeOnOneShardBeforeTheNextShardBegins() throws Exception {
        for (int shard = 1; shard <= 2; shard++) {
            cluster()
                    .on(
                            shard,
                            "CREATE DATABASE scripted",
                            "CREATE TABLE scripted.t (id INT PRIMARY KEY, a VARCHAR(10), b INT)",
                            "INSERT INTO scripted.t VALUES (" + shard + "0, 'é', 1)",
                            "ALTER TABLE scripted.t ADD COLUMN c INT NOT NULL DEFAULT 5 FIRST",
                            "INSERT INTO scripted.t VALUES (7, " + shard + "1, 'x', 2)",
                            "ALTER TABLE scripted.t RENAME COLUMN b TO d, MODIFY COLUMN a VARCHAR(300)",
                            "UPDATE scripted.t SET d = d + 1");
            cluster().awaitReplicated();
        }
        cluster().assertUnion("scripted");
        cluster().assertSameDefinition("scripted", "t");
        cluster().awaitNothingListed();
    }

    @Test
    void aTableMovesToAnotherSchema() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE here",
                        "CREATE DATABASE there",
                        "CREATE TABLE here.t (id INT PRIMARY KEY)",
                        "CREATE TABLE here.m_0 (id INT PRIMARY KEY)",
                        "CREATE TABLE here.m_1 (id INT PRIMARY KEY)");
        cluster().on(1, "RENAME TABLE here.t TO there.t", "INSERT INTO there.t VALUES (1)");
        cluster().on(1, "RENAME TABLE here.m_0 TO there.m_0", "INSERT INTO here.m_1 VALUES (2)");
        cluster().awaitWritten(cluster().shard(1));
        cluster().on(2, "INSERT INTO here.t VALUES (11)", "INSERT INTO here.m_0 VALUES (12)");
        cluster().on(2, "ALTER TABLE here.t ADD COLUMN c INT DEFAULT 4", "INSERT INTO here.t VALUES (13, 5)");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM there.t WHERE id = 11");
        cluster().killAndRestart();
        cluster().on(2, "RENAME TABLE here.t TO there.t", "INSERT INTO there.t VALUES (14, 6)");
        cluster().on(2, "RENAME TABLE here.m_0 TO there.m_0", "ALTER TABLE here.m_1 RENAME TO there.m_1");
        cluster().on(1, "ALTER TABLE there.t ADD COLUMN c INT DEFAULT 4");
        cluster().on(1, "INSERT INTO there.m_0 VALUES (3)", "RENAME TABLE here.m_1 TO there.m_1");
        cluster().awaitReplicated();
        cluster().assertUnion("here", "there");
        cluster().awaitNothingListed();
    }

    /** A functional index is a hidden column, which neither rows nor table maps contain. */
    @Test
    void hiddenColumnsOfFunctionalIndexesAreNotInRows() throws Exception {
        cluster()
                .onEach(
                        "CREATE DATABASE func",
                        "CREATE TABLE func.t (id INT PRIMARY KEY, a INT, b VARCHAR(20), KEY k ((a + 1)))");
        cluster().on(1, "ALTER TABLE func.t ADD INDEX l ((UPPER(b)), a)", "ALTER TABLE func.t ADD COLUMN z INT FIRST");
        cluster().awaitWritten(cluster().shard(1));
        cluster().on(2, "INSERT INTO func.t VALUES (11, 1, 'x')", "UPDATE func.t SET a = 2");
        cluster().on(1, "INSERT INTO func.t VALUES (5, 1, 1, 'y')");
        cluster().awaitReplica("1", "SELECT COUNT(*) FROM func.t WHERE id = 11 AND a = 2 AND UPPER(b) = 'X'");
        cluster().on(2, "ALTER TABLE func.t ADD INDEX l ((UPPER(b)), a)", "ALTER TABLE func.t ADD COLUMN z INT FIRST");
        cluster()
                .on(
                        1,
                        "ALTER TABLE func.t ADD UNIQUE INDEX u ((a * 2), id)",
                        "INSERT INTO func.t VALUES (6, 2, 2, 'z')");
        cluster().on(2, "ALTER TABLE func.t ADD UNIQUE INDEX u ((a * 2), id)");
        cluster().awaitReplicated();
        cluster().assertUnion("func");
        cluster().assertSameText("func.t");
        cluster().awaitNothingListed();
    }

    private static DdlCluster cluster() {
        return SHARED.get();
    }
}
