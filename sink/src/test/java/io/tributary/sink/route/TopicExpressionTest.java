package io.tributary.sink.route;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class TopicExpressionTest {
    private static String topic(String expression, String schema, String table) {
        return new TopicExpression(expression).topic(new TableName(schema, table));
    }

    @Test
    void replacesWhatATopicCannotHave() {
        assertEquals("shop.a_b", topic("{schema}.{table}", "shop", "a b"));
        assertEquals("x-shop_t-y", topic("x-{schema}_{table}-y", "shop", "t"));
        assertEquals("_", topic("{table}", "shop", "."));
        assertEquals("__", topic("{table}", "shop", ".."));
        assertEquals(
                249, topic("{schema}{table}", "a".repeat(200), "b".repeat(200)).length());
    }

    @Test
    void refusesOtherCharacters() {
        for (String text : List.of("", "a b", "{schema}/{table}", "{x}")) {
            assertThrows(TributaryException.class, () -> new TopicExpression(text), text);
        }
    }

    @Test
    void knowsWhetherTablesShareTopics() {
        assertFalse(TopicExpression.BY_TABLE.isShared());
        assertTrue(new TopicExpression("{schema}").isShared());
        assertTrue(new TopicExpression("all").isShared());
    }

    @Test
    void twoTablesWithOneTopicAreNamed() {
        TopicNames names = new TopicNames(TopicExpression.BY_TABLE);
        assertEquals("shop.a_b", names.of(new TableName("shop", "a+b")));
        assertEquals("shop.a_b", names.of(new TableName("shop", "a+b")));
        String message = assertThrows(TributaryException.class, () -> names.of(new TableName("shop", "a*b")))
                .getMessage();
        assertTrue(message.contains("shop.a+b") && message.contains("shop.a*b"), message);
    }

    @Test
    void theFirstRuleThatMatchesDecides() {
        DispatchRules rules = DispatchRules.of(List.of("shop.orders:key", "shop.*:columns(a, b)", "log?.*:none"));
        assertEquals(Dispatcher.KEY, rules.of(new TableName("Shop", "orders")));
        assertEquals(List.of("a", "b"), rules.of(new TableName("shop", "x")).columns());
        assertEquals(Dispatcher.NONE, rules.of(new TableName("log1", "x")));
        assertEquals(Dispatcher.TABLE, rules.of(new TableName("log", "x")));
        for (String text : List.of("shop:key", "shop.t", "shop.t:keys", "shop.t:columns()", ".t:key")) {
            assertThrows(TributaryException.class, () -> DispatchRules.of(List.of(text)), text);
        }
    }

    /** The vector of TiCDC: groups of two parts each, xor of their CRC-32. */
    @Test
    void theHashIsThatOfTicdc() {
        int hash = 0;
        for (String second : List.of("hash", "pingcap", "ticdc", "tools")) {
            hash ^= RowHash.ofTable(new TableName("hello", second));
        }
        assertEquals(0x914505a7, hash);
        assertEquals(3, RowHash.partition(-1, 4));
        CRC32 crc = new CRC32();
        crc.update("x:1".getBytes(StandardCharsets.US_ASCII));
        assertEquals((int) crc.getValue(), RowHash.ofText("x:1"));
    }
}
