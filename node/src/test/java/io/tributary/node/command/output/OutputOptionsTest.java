package io.tributary.node.command.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.node.text.JsonText;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class OutputOptionsTest {
    private static Map<String, Object> facts() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("text", "say \"yes\": no\n\ttab, \u00fc, \u0001 and # that");
        facts.put("looks.like.number", "0123");
        facts.put("looks.like.truth", "yes");
        facts.put("gtid", "3e11fa47-71ca-11e1-9e33-c80aa9429562:1-5");
        facts.put("count", 9_007_199_254_740_993L);
        facts.put("large", 1.5e20);
        facts.put("small", 0.00025);
        facts.put("truth", true);
        facts.put("nothing", null);
        facts.put("empty", Map.of());
        facts.put("items", Arrays.asList("a", 1, null, List.of()));
        return facts;
    }

    @Test
    void yamlAndJsonHaveTheSameContent() {
        String json = JsonText.of(facts());
        Object read = YamlText.parse(json);
        assertEquals(json, JsonText.of(read), "JSON is read as it was written");
        String yaml = YamlText.of(read);
        assertEquals(json, JsonText.of(YamlText.parse(yaml)), yaml);
        assertTrue(!yaml.contains("!!"), "no names of classes: " + yaml);
    }

    @Test
    void aTableHasALineForEachFact() {
        assertEquals("a     1\nlong  -\n", FactsText.of(facts("a", 1, "long", null)));
        assertEquals(
                "NAME  SIZE\nb        2\n", FactsText.table(List.of(facts("name", "b", "size", 2)), "NAME", "SIZE"));
    }

    private static Map<String, Object> facts(Object... pairs) {
        Map<String, Object> facts = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            facts.put(pairs[i].toString(), pairs[i + 1]);
        }
        return facts;
    }

    @Test
    void coloursAreOnlyForTerminalsThatWantThem() {
        assertEquals(Ansi.ON, Terminal.ansi(true, null, "xterm"));
        assertEquals(Ansi.ON, Terminal.ansi(true, "", "xterm"));
        assertEquals(Ansi.OFF, Terminal.ansi(true, "1", "xterm"));
        assertEquals(Ansi.OFF, Terminal.ansi(true, null, "dumb"));
        assertEquals(Ansi.OFF, Terminal.ansi(false, null, "xterm"));
    }
}
