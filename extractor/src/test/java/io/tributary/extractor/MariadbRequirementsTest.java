package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.MariadbGtids;
import io.tributary.common.value.Cut.ShardCut;
import io.tributary.extractor.check.ShardProblem;
import io.tributary.extractor.check.ShardRequirements;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The requirements of a MariaDB shard, by its variables and GTID sets. */
class MariadbRequirementsTest {
    private static final GtidSet EXECUTED = MariadbGtids.upTo("0-11-50,0-12-90,7-11-3");
    private static final GtidSet PURGED = MariadbGtids.upTo("0-11-50,0-12-60");

    private static ShardFacts facts(String... changes) {
        Map<String, String> variables = new HashMap<>(Map.of(
                "version", "10.11.19-MariaDB-0+deb12u1-log",
                "server_id", "11",
                "server_uid", "4OEPK5F9DYGPjg4kCTJuMJ33F3s=",
                "log_bin", "ON",
                "binlog_format", "ROW",
                "binlog_row_image", "FULL",
                "binlog_row_metadata", "FULL",
                "mysql56_temporal_format", "ON",
                "read_only", "OFF"));
        for (int i = 0; i < changes.length; i += 2) {
            variables.put(changes[i], changes[i + 1]);
        }
        return new ShardFacts(variables, EXECUTED, PURGED);
    }

    private static List<ShardProblem> problems(ShardFacts facts) {
        List<ShardProblem> problems = new ArrayList<>();
        new ShardRequirements("s1", facts, problems).check();
        return problems;
    }

    private static List<ShardProblem> problemsAt(GtidSet resume) {
        List<ShardProblem> problems = new ArrayList<>();
        ShardCut cut = ShardCut.unread("s1", "", resume, resume);
        new ShardRequirements("s1", facts(), problems).checkPosition(ExtractorRig.shard(1), cut);
        return problems;
    }

    @Test
    void findsNoProblemOnAFitShard() {
        assertEquals(List.of(), problems(facts()));
        assertEquals(List.of(), problems(facts("version", "11.4.2-MariaDB")));
        assertEquals(List.of(), problemsAt(EXECUTED));
    }

    @Test
    void namesEachSettingWithTheStatementForMariadb() {
        List<ShardProblem> problems = problems(
                facts("version", "10.4.30-MariaDB", "binlog_format", "MIXED", "mysql56_temporal_format", "OFF"));
        assertEquals(3, problems.size(), problems.toString());
        assertTrue(problems.get(0).toString().contains("MariaDB 10.5 or later"), problems.toString());
        assertTrue(problems.toString().contains("SET GLOBAL binlog_format = ROW"), problems.toString());
        assertTrue(problems.toString().contains("mysql56_temporal_format"), problems.toString());
        assertTrue(!problems.toString().contains("PERSIST"), problems.toString());
    }

    @Test
    void aPositionInADomainCountsForEveryServerId() {
        assertEquals(List.of(), problemsAt(MariadbGtids.upTo("0-12-60")));
        List<ShardProblem> purged = problemsAt(MariadbGtids.upTo("0-11-50"));
        assertEquals(ErrorCode.SHARD_POSITION_PURGED, purged.get(0).code());
        List<ShardProblem> foreign = problemsAt(MariadbGtids.upTo("0-13-70"));
        assertEquals(ErrorCode.SHARD_SAME_SERVER, foreign.get(0).code());
    }

    @Test
    void makesAUuidFromServerUidAndServerId() {
        String uuid = facts().uuid();
        assertEquals(uuid, facts().uuid());
        assertNotEquals(uuid, facts("server_id", "12").uuid());
        assertNotEquals(uuid, facts("server_uid", "other").uuid());
        TributaryException e = assertThrows(
                TributaryException.class, () -> facts().requireContinues("s1", "another server", GtidSet.EMPTY));
        assertEquals(ErrorCode.SHARD_SAME_SERVER, e.code());
    }

    @Test
    void aStreamMayBeginAtAPosition() {
        ShardConfig usual = ExtractorRig.shard(1);
        ShardConfig config = new ShardConfig(
                new ShardServers(
                        usual.host(),
                        usual.port(),
                        usual.servers().standby(),
                        usual.servers().rounds()),
                new ShardLogin(
                        usual.user(),
                        usual.login().password(),
                        usual.login().tls(),
                        usual.login().tlsAuthorities(),
                        usual.login().connectTimeout()),
                "0-12-70,7-11-1",
                usual.skipAnonymous());
        assertEquals(
                "0-12-70,7-11-1",
                MariadbGtids.position(facts().firstCut("s1", config).resume()));
    }
}
