package io.tributary.node.command.seed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.TableName;
import io.tributary.node.command.TributaryCommand;
import io.tributary.node.command.output.OutputForm;
import io.tributary.node.command.output.YamlText;
import io.tributary.node.process.StopSignal;
import io.tributary.seed.change.KeyChange;
import io.tributary.seed.change.LastChange;
import io.tributary.seed.change.SearchResult;
import io.tributary.seed.verify.Finding;
import io.tributary.seed.verify.TableResult;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests of what {@code tributary verify} prints, and of its options. */
class VerifyOutputTest {
    private static final TableName ORDERS = new TableName("shop", "orders");
    private static final Finding DIFFERS = new Finding(
            ORDERS,
            "id=5",
            Optional.empty(),
            Finding.Kind.DIFFERS,
            List.of(new Finding.ChangedColumn("a", "", ""), new Finding.ChangedColumn("b", "", "")),
            List.of("shard s1 shop_0.orders"));

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private VerifyOutput output(OutputForm form, boolean isScript) {
        return new VerifyOutput(
                new PrintWriter(out), new PrintWriter(err), new VerifyOutput.Form(form, isScript, false));
    }

    @Test
    void yamlIsOneListWithTheContentOfJson() {
        VerifyOutput json = output(OutputForm.JSON, false);
        json.found(DIFFERS);
        int unused = json.end();
        List<Object> expected = out.toString().lines().map(YamlText::parse).toList();
        out.getBuffer().setLength(0);
        VerifyOutput yaml = output(OutputForm.YAML, false);
        yaml.found(DIFFERS);
        assertEquals(1, yaml.end());
        assertEquals(expected, YamlText.parse(out.toString()), out.toString());
    }

    @Test
    void aFindingIsALineAndTheExitStatusIsOne() {
        VerifyOutput output = output(OutputForm.TABLE, false);
        output.chunk(ORDERS, 10);
        output.found(DIFFERS);
        output.ended(new TableResult(ORDERS, 10, 1, 1, true));
        assertEquals(1, output.end());
        assertEquals("""
                shop.orders id=5: differs: a, b [shard s1 shop_0.orders]
                1 tables, 10 rows: 1 findings
                """, out.toString());
        assertEquals("shop.orders: 10 rows, 1 findings\n", err.toString());
    }

    @Test
    void equalTablesAreSuccess() {
        VerifyOutput output = output(OutputForm.TABLE, false);
        output.chunk(ORDERS, 7);
        output.ended(new TableResult(ORDERS, 7, 1, 0, true));
        assertEquals(0, output.end());
        assertEquals("1 tables, 7 rows: equal\n", out.toString());
    }

    @Test
    void aRowThatChangesAllTheTimeIsNoFinding() {
        VerifyOutput output = output(OutputForm.TABLE, false);
        output.found(new Finding(ORDERS, "id=1", Optional.empty(), Finding.Kind.BUSY, List.of(), List.of()));
        assertEquals(0, output.end());
        assertTrue(out.toString().contains("equal, 1 rows not compared"), out.toString());
        output.found(new Finding(ORDERS, "", Optional.empty(), Finding.Kind.BUSY, List.of(), List.of()));
        assertEquals(1, output.end());
    }

    @Test
    void jsonHasOneObjectInEachLine() {
        VerifyOutput output = output(OutputForm.JSON, false);
        output.found(DIFFERS);
        assertEquals(1, output.end());
        List<String> lines = out.toString().lines().toList();
        assertEquals(
                "{\"table\":\"shop.orders\",\"key\":\"id=5\",\"kind\":\"differs\",\"columns\":[\"a\",\"b\"],"
                        + "\"values\":[],\"where\":[\"shard s1 shop_0.orders\"]}",
                lines.get(0));
        assertTrue(lines.get(1).startsWith("{\"tables\":0,\"rows\":0,\"findings\":1,"), lines.get(1));
    }

    private static SearchResult searched() {
        KeyChange change = new KeyChange(
                Gtid.parse("3e11fa47-71ca-11e1-9e33-c80aa9429562:23"), "update", 1_764_000_000, "binlog.000007", 4711);
        Finding extra = new Finding(ORDERS, "id=9", Optional.empty(), Finding.Kind.EXTRA, List.of(), List.of());
        return new SearchResult(
                List.of(
                        new LastChange(DIFFERS, Optional.of(change), Optional.empty()),
                        new LastChange(extra, Optional.empty(), Optional.empty())),
                "binlog.000006",
                "binlog.000007",
                3 << 20,
                "more than 4000000 bytes",
                0);
    }

    @Test
    void theLastChangesFollowTheFindings() {
        output(OutputForm.TABLE, false).searched(searched());
        assertEquals("""
                last changes, searched in binlog.000006 to binlog.000007 (3.0 MiB); older ones not: more than 4000000 bytes
                shop.orders id=5: last changed by 3e11fa47-71ca-11e1-9e33-c80aa9429562:23 (update, 2025-11-24T16:00:00Z, binlog.000007:4711)
                shop.orders id=9: no change found
                """, out.toString());
    }

    @Test
    void jsonHasAnObjectForEachLastChange() {
        output(OutputForm.JSON, false).searched(searched());
        List<String> lines = out.toString().lines().toList();
        assertEquals(2, lines.size());
        assertEquals(
                "{\"table\":\"shop.orders\",\"key\":\"id=5\",\"kind\":\"last_change\",\"change\":{\"gtid\":"
                        + "\"3e11fa47-71ca-11e1-9e33-c80aa9429562:23\",\"kind\":\"update\",\"time\":\"2025-11-24T16:00:00Z\","
                        + "\"file\":\"binlog.000007\",\"position\":4711},\"statement\":null,\"searched\":\"binlog.000006 to"
                        + " binlog.000007 (3.0 MiB); older ones not: more than 4000000 bytes\"}",
                lines.get(0));
        assertTrue(lines.get(1).contains("\"change\":null"), lines.get(1));
    }

    @Test
    void aScriptHasItsSettingsOnceAndFindingsAsComments() {
        VerifyOutput output = output(OutputForm.TABLE, true);
        output.found(DIFFERS);
        output.repaired(ORDERS, List.of("SET sql_log_bin = 0"), List.of("START TRANSACTION", "COMMIT"));
        output.repaired(ORDERS, List.of("SET sql_log_bin = 0"), List.of("START TRANSACTION", "COMMIT"));
        var unused = output.end();
        List<String> lines = out.toString().lines().toList();
        assertEquals(1, lines.stream().filter("SET sql_log_bin = 0;"::equals).count(), out.toString());
        assertTrue(lines.stream().allMatch(line -> line.startsWith("-- ") || line.endsWith(";")), out.toString());
    }

    @Test
    void optionsOutOfRangeAreRefused() {
        VerifyChoice choice = CommandLine.populateCommand(new VerifyChoice(), "--sample", "101");
        assertEquals(
                ErrorCode.CONFIG_INVALID,
                assertThrows(TributaryException.class, choice::options).code());
        VerifyChoice tables = CommandLine.populateCommand(
                new VerifyChoice(), "--tables", "shop.*,crm.order_?", "--exclude", "shop.log*");
        assertTrue(tables.filter().reads("crm", "order_1"));
        assertTrue(!tables.filter().reads("shop", "log_1") && tables.filter().reads("shop", "orders"));
    }

    @Test
    void theReplicaIsRequired() {
        CommandLine line = TributaryCommand.commandLine(new StopSignal(), "verify")
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err));
        assertEquals(2, line.execute("verify", "-c", "x"));
        assertTrue(err.toString().contains("--replica"), err.toString());
    }
}
