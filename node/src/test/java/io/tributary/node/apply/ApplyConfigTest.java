package io.tributary.node.apply;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.apply.ApplyBackend;
import io.tributary.apply.ApplyDependency;
import io.tributary.apply.ApplyOrder;
import io.tributary.apply.ApplyPlan;
import io.tributary.common.config.ConfigReader;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import io.tributary.mysql.protocol.client.TlsMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ApplyConfigTest {
    private static ApplyConfig read(String... more) {
        List<String> lines = new ArrayList<>(List.of(
                "apply.nodes = a:3307, b:3308",
                "apply.password = p",
                "apply.target = t:3306",
                "apply.target.password = q"));
        lines.addAll(List.of(more));
        return new ConfigReader(List.of(ApplyConfig.class))
                .read("test", lines, Map.of())
                .get(ApplyConfig.class);
    }

    @Test
    void defaults() {
        ApplyPlan plan = read().plan();
        assertEquals("tributary", plan.name());
        assertEquals(
                new ApplyPlan.Settings(
                        ApplyBackend.EVENTS,
                        ApplyOrder.NONE,
                        ApplyDependency.WRITESET,
                        false,
                        new ApplyPlan.Limits(8, 8, 1000, 64 << 20)),
                plan.settings());
        assertEquals(Optional.empty(), plan.start());
        assertEquals("target t:3306", plan.target().toString());
        assertEquals("tributary@t:3306", plan.target().endpoint().toString());
        assertEquals("q", plan.target().endpoint().credentials().password());
        assertEquals(Duration.ofMinutes(1), plan.target().timeout());
        TableName any = new TableName("shop", "orders");
        assertTrue(plan.names().applies(any));
        assertEquals(any, plan.names().onTarget(any));
    }

    @Test
    void nodesTakeTurns() {
        ApplyConfig config = read("apply.user = reader", "apply.tls = required");
        List<String> read = List.of(0, 1, 2, -1).stream()
                .map(turn -> config.nodes().node(turn).endpoint().toString())
                .toList();
        assertEquals(List.of("reader@a:3307", "reader@b:3308", "reader@a:3307", "reader@b:3308"), read);
        assertEquals(TlsMode.REQUIRED, config.nodes().node(0).endpoint().tls().mode());
        assertEquals("p", config.nodes().node(1).endpoint().credentials().password());
    }

    @Test
    void tablesAreChosenAndRenamed() {
        ApplyPlan plan = read(
                        "apply.tables = shop.*, crm.order_?, !shop.secret*",
                        "apply.rename = shop:store, crm.order_1:archive.orders",
                        "apply.start = 3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5")
                .plan();
        assertTrue(plan.names().applies(new TableName("shop", "orders")));
        assertFalse(plan.names().applies(new TableName("shop", "secrets")));
        assertFalse(plan.names().applies(new TableName("crm", "users")));
        assertTrue(plan.names().applies(new TableName("crm", "")), "statements about a schema");
        assertFalse(plan.names().applies(new TableName("other", "")));
        assertEquals(new TableName("store", "orders"), plan.names().onTarget(new TableName("shop", "orders")));
        assertEquals(new TableName("archive", "orders"), plan.names().onTarget(new TableName("crm", "order_1")));
        assertEquals(5, plan.start().orElseThrow().count());
    }

    @Test
    void wrongValuesAreNamed() {
        for (String line : List.of(
                "apply.name = my stream",
                "apply.name = " + "x".repeat(33),
                "apply.tables = a.b.c",
                "apply.rename = shop",
                "apply.rename = shop:store, shop:other",
                "apply.rename = shop:store.orders",
                "apply.start = 5",
                "apply.batch = 0",
                "apply.timeout = 1s",
                "apply.memory = 1KiB",
                "apply.order = sometimes")) {
            TributaryException thrown = assertThrows(TributaryException.class, () -> read(line), line);
            assertEquals(ErrorCode.CONFIG_INVALID, thrown.code());
            String key = line.substring(0, line.indexOf(' '));
            assertTrue(thrown.getMessage().contains(key + ": "), thrown.getMessage());
        }
    }
}
