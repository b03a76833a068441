package io.tributary.extractor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.value.TableName;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Physical names become logical ones by rules. */
class TableMappingTest {
    private static TableMapRule rule(String from, String to) {
        return new TableMapRule(Pattern.compile(from), to);
    }

    @Test
    void mapsByGroups() {
        TableMapping mapping = new TableMapping(Map.of(
                "tables", rule("(?<base>\\w+?)_\\d+\\.(\\w+?)_\\d+", "${base}.$2"),
                "schemas", rule("(\\w+?)_\\d+", "$1")));
        assertEquals(new TableName("shop", "orders"), mapping.apply(new TableName("shop_07", "orders_0001")));
        assertEquals(new TableName("shop", ""), mapping.apply(new TableName("shop_07", "")));
        assertEquals(new TableName("shop_07", "plain"), mapping.apply(new TableName("shop_07", "plain")));
    }

    @Test
    void usesTheFirstRuleByName() {
        TableMapping mapping = new TableMapping(Map.of("b", rule("s\\.t", "x.b"), "a", rule("s\\..*", "x.a")));
        assertEquals(new TableName("x", "a"), mapping.apply(new TableName("s", "t")));
    }

    @Test
    void keepsEveryNameWithoutRules() {
        TableName name = new TableName("s", "t.with.dots");
        assertEquals(name, TableMapping.NONE.apply(name));
    }

    @Test
    void refusesAMissingGroup() {
        TributaryException e =
                assertThrows(TributaryException.class, () -> new TableMapping(Map.of("r", rule("a\\.b", "a.$1"))));
        assertEquals(ErrorCode.CONFIG_INVALID, e.code());
        assertThrows(TributaryException.class, () -> new TableMapping(Map.of("r", rule("a\\.b", "a.${x}"))));
    }

    @Test
    void refusesARuleThatMapsATableToASchema() {
        TableMapping mapping = new TableMapping(Map.of("r", rule("s\\.t", "nodot")));
        assertThrows(TributaryException.class, () -> mapping.apply(new TableName("s", "t")));
    }

    @Test
    void aRuleThatIsReadAgainIsEqual() {
        TableMapRule rule = new TableMapRule(Pattern.compile("shop_\\d+"), "shop");
        assertEquals(rule, new TableMapRule(Pattern.compile("shop_\\d+"), "shop"));
        assertNotEquals(rule, new TableMapRule(Pattern.compile("shop_\\d+"), "other"));
        assertNotEquals(rule, new TableMapRule(Pattern.compile("shop"), "shop"));
    }
}
