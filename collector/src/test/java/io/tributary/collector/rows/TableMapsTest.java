package io.tributary.collector.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.TestMap;
import io.tributary.collector.TestPayload;
import io.tributary.collector.Tokens;
import io.tributary.collector.rows.TableMaps.Verdict;
import io.tributary.collector.schema.DueStatement;
import io.tributary.collector.schema.SchemaOrder;
import io.tributary.collector.schema.ShardTables;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.common.value.TableRef;
import io.tributary.common.value.Token;
import io.tributary.mysql.event.QueryEvent;
import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.list.ReportedTable;
import io.tributary.schema.list.TableTexts;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.schema.write.CreateTable;
import io.tributary.testkit.order.NamedTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** A table map is right; if the known definition differs, the shard is asked. */
class TableMapsTest {
    private static final TableName TABLE = new TableName("shop", "t");
    private static final String OLD = "CREATE TABLE t (id INT PRIMARY KEY, v INT)";
    private static final String NEW = "CREATE TABLE t (v BIGINT, id INT PRIMARY KEY)";
    private static final String LATER = "CREATE TABLE t (v BIGINT, id INT PRIMARY KEY, x INT)";
    private static final String MORE = "CREATE TABLE t (id INT PRIMARY KEY, w INT DEFAULT 3, v INT)";
    private static final TableRef REF = NamedTables.table(7, "shop", "t");

    private final List<Consumer<Optional<ReportedTable>>> asked = new ArrayList<>();
    private final SchemaOrder schema = SchemaOrder.of(Tokens.firstCut(2), 0, Long.MAX_VALUE);
    private final TableMaps maps = new TableMaps(schema.changes());

    TableMapsTest() {
        maps.definitions((shard, physical, answer) -> asked.add(answer));
    }

    private static Optional<ReportedTable> shown(String text) {
        return Optional.of(new ReportedTable(ServerVersion.STANDARD, text));
    }

    private void list(String text) {
        TableTexts texts = text.isEmpty()
                ? TableTexts.NONE
                : new TableTexts.Builder().add(TABLE, text).build();
        for (int shard = 0; shard < 2; shard++) {
            schema.changes()
                    .tables(
                            shard,
                            new ShardTables(
                                    ServerVersion.STANDARD,
                                    new ShardTables.ReadSpan(GtidSet.EMPTY, GtidSet.EMPTY),
                                    List.of(new ShardTables.Name(TABLE, TABLE)),
                                    texts,
                                    List.of()));
        }
    }

    private static TableDefinition definition(String text) {
        return DefinitionReader.create(text, ReadSession.standard("shop"), other -> Optional.empty())
                .orElseThrow();
    }

    private Verdict verdict(String create) {
        return maps.verdict(
                0,
                REF,
                TestMap.of(REF.id(), TABLE, definition(create)),
                schema.changes().memberDefinition(0, REF));
    }

    private String known() {
        return schema.changes()
                .memberDefinition(0, REF)
                .definition()
                .map(CreateTable::text)
                .orElse("");
    }

    private static String text(String create) {
        return CreateTable.text(definition(create).named(TABLE));
    }

    @Test
    void noShardIsAskedIfItAgrees() {
        list(OLD);
        assertEquals(Verdict.AGREES, verdict(OLD));
        assertEquals(List.of(), asked);
    }

    @Test
    void theDefinitionWithWhichItAgreesIsAccepted() {
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(NEW));
        assertEquals(Verdict.DIFFERS, verdict(NEW));
        assertEquals(1, asked.size(), "asked once");
        long before = schema.version();
        asked.get(0).accept(shown(NEW));
        assertTrue(schema.version() > before, "a shard that is held is tried again");
        assertEquals(text(NEW), known());
        assertTrue(schema.changes().deviates(0, REF));
        assertEquals(
                text(OLD),
                CreateTable.text(schema.changes().definitions().inOutput(TABLE).orElseThrow()));
        assertEquals(Verdict.AGREES, verdict(NEW));
        assertEquals(1, schema.changes().learned().value());
    }

    @Test
    void theNamesInItAreUsedIfTheShardHasAnotherDefinitionByNow() {
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(NEW));
        asked.get(0).accept(shown(LATER));
        assertEquals("", known());
        assertTrue(schema.changes().deviates(0, REF));
        assertEquals(Verdict.UNKNOWN, verdict(NEW));
        assertEquals(1, asked.size());
        assertEquals(Verdict.DIFFERS, verdict(MORE), "a value of w would be lost");
    }

    /** Otherwise the values of that column would be lost. */
    @Test
    void aColumnThatTheOutputLacksIsWaitedFor() {
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(MORE));
        asked.get(0).accept(shown(MORE));
        assertEquals(Verdict.DIFFERS, verdict(MORE));
        assertEquals(text(OLD), known());
        assertEquals(0, schema.changes().learned().value());
        Ddl.Part part = new Ddl.Part(
                DdlKind.FORWARD, "w", true, false, List.of(new Ddl.Target(Ddl.Effect.CHANGES, TABLE, TABLE)));
        String alter = "ALTER TABLE t ADD COLUMN w INT DEFAULT 3 AFTER id";
        TestPayload payload = new TestPayload(new AtomicInteger()).query(alter).inOnePiece();
        Token token = new Tokens(1).ddl(new Ddl("ALTER TABLE", alter, List.of(part)), payload);
        schema.changes().received(token);
        schema.changes().process(token);
        assertFalse(schema.changes().hasDue(), "it has been added");
        assertEquals(Verdict.AGREES, verdict(MORE));
        assertEquals(text(MORE), known());
        assertEquals(1, asked.size());
    }

    @Test
    void aColumnThatNoStatementAddsIsAddedByAGeneratedStatement() {
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(MORE));
        asked.get(0).accept(shown(MORE));
        assertTrue(schema.changes().hasDue());
        DueStatement made = schema.changes().pollDue();
        assertEquals(
                "ALTER TABLE `shop`.`t` ADD COLUMN `w` int NULL DEFAULT '3' AFTER `id`",
                QueryEvent.text(made.event(), 0, made.event().limit()));
        assertFalse(schema.changes().hasDue());
        assertEquals(
                text(MORE),
                CreateTable.text(schema.changes().definitions().inOutput(TABLE).orElseThrow()));
        assertEquals(Verdict.AGREES, verdict(MORE));
        assertEquals(List.of(), schema.changes().pending(new int[] {0, 1}), "no member is expected to execute it");
    }

    @Test
    void aColumnThatMayBeARenamedOneIsWaitedFor() {
        list(OLD);
        String renamed = "CREATE TABLE t (id INT PRIMARY KEY, w INT)";
        assertEquals(Verdict.DIFFERS, verdict(renamed));
        asked.get(0).accept(shown(renamed));
        assertFalse(schema.changes().hasDue());
        assertEquals(Verdict.DIFFERS, verdict(renamed));
    }

    @Test
    void aTableThatWasDroppedMeanwhileIsTheSame() {
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(NEW));
        asked.get(0).accept(Optional.empty());
        assertEquals(Verdict.UNKNOWN, verdict(NEW));
    }

    @Test
    void aServerThatWritesItDifferentlyIsTrusted() {
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(NEW));
        asked.get(0).accept(shown(OLD));
        assertEquals(text(OLD), known());
        assertEquals(Verdict.AGREES, verdict(NEW));
    }

    @Test
    void anUnknownDefinitionIsThatOfTheOutputToo() {
        list("");
        assertEquals(Verdict.UNKNOWN, verdict(NEW));
        asked.get(0).accept(shown(NEW));
        assertEquals(
                text(NEW),
                CreateTable.text(schema.changes().definitions().inOutput(TABLE).orElseThrow()));
        assertEquals(Verdict.AGREES, verdict(NEW));
    }

    @Test
    void noShardIsAskedBeforeItsTablesAreListed() {
        assertEquals(Verdict.UNKNOWN, verdict(NEW));
        assertEquals(List.of(), asked);
        list(OLD);
        assertEquals(Verdict.DIFFERS, verdict(NEW));
        assertEquals(1, asked.size());
    }
}
