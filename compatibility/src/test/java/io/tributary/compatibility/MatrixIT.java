package io.tributary.compatibility;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tributary.testkit.server.MysqlRelease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every client of the matrix, one after another; then the page is written. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MatrixIT {
    private static final String ONLY = System.getProperty("matrix.only", "");

    private final List<Line> lines = new ArrayList<>();
    private Stage stage;
    private Stage rolling;
    private CopyStage copies;
    private MysqlRelease ofStage;
    private String shards;

    @TempDir
    private static Path folder;

    /** A client before shards of a release. */
    record Cell(MysqlRelease shards, Client client) {
        @Override
        public String toString() {
            String release = client instanceof ReplicaClient replica
                    ? " " + replica.release()
                    : client instanceof BinlogToolClient tool ? " " + tool.release() : "";
            return client.name() + release + " " + client.mode() + " before " + shards;
        }
    }

    static Stream<Cell> cells() {
        return Clients.cells().stream()
                .filter(cell -> ONLY.isEmpty() || cell.toString().matches(ONLY));
    }

    @Order(1)
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("cells")
    void readsWhatItReadsFromARealServer(Cell cell) throws Exception {
        prepare(cell.shards());
        Line line = Line.of(cell.client(), stage, shards);
        lines.add(line);
        CompatibilityPage.write(Path.of("target/compatibility.md"), lines); // what there is if the run is cut short
        assumeTrue(line.verdict() != Verdict.NOT_RUN, line.read());
        assertTrue(line.verdict().isGood(), line.toString());
    }

    static Stream<Cell> cellsOfChanges() {
        return Clients.ofChanges().stream()
                .filter(cell -> ONLY.isEmpty() || cell.toString().matches(ONLY));
    }

    /** From the first transaction on, over changes of a table that have run on some of the shards while others write it. */
    @Order(3)
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("cellsOfChanges")
    void readsAcrossChangesThatRollOverTheShards(Cell cell) throws Exception {
        if (rolling == null) {
            rolling = Stage.rolling(cell.shards(), folder.resolve("rolling"));
        }
        Line line = Line.of(cell.client(), rolling, cell.shards().toString());
        assumeTrue(line.verdict() != Verdict.NOT_RUN, line.read());
        assertTrue(line.verdict().isGood(), line.toString());
    }

    static Stream<Cell> cellsOfCopies() {
        return Clients.ofCopies().stream()
                .filter(cell -> ONLY.isEmpty() || cell.toString().matches(ONLY));
    }

    /** The copy and the changes after it, while sessions write all shards. */
    @Order(2)
    @ParameterizedTest(name = "{0}", allowZeroInvocations = true)
    @MethodSource("cellsOfCopies")
    void copiesTablesThatChangeAndContinuesWithTheBinlog(Cell cell) throws Exception {
        if (copies == null) {
            copies = CopyStage.of(cell.shards(), folder.resolve("copies"));
        }
        Line line = copies.line(cell.client(), words(cell.shards()));
        lines.add(line);
        CompatibilityPage.write(Path.of("target/compatibility.md"), lines);
        assertTrue(line.verdict().isGood(), line.toString());
    }

    private static String words(MysqlRelease release) {
        return (release.isMariadb() ? "MariaDB " : "MySQL ")
                + release.distribution().version();
    }

    private void prepare(MysqlRelease release) throws Exception {
        if (release == ofStage) {
            return;
        }
        close();
        ofStage = release;
        shards = words(release);
        stage = Stage.of(release, folder.resolve(release.name()));
    }

    private void close() {
        if (stage != null) {
            stage.close();
            stage = null;
        }
    }

    @AfterAll
    void writeThePage() throws IOException {
        close();
        if (rolling != null) {
            rolling.close();
        }
        if (copies != null) {
            copies.close();
        }
        if (ONLY.isEmpty() && !lines.isEmpty()) {
            CompatibilityPage.write(Path.of(System.getProperty("tributary.home"), "docs/compatibility.md"), lines);
        }
    }
}
