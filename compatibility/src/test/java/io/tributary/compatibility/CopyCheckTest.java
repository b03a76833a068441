package io.tributary.compatibility;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CopyCheckTest {
    private static final Map<String, String> ROWS = Map.of("t 1", "v=2 ", "t 2", "v=1 ");

    private static String difference(boolean isExact, String... lines) {
        return CopyCheck.of(List.of(lines)).differenceTo(ROWS, isExact).orElse("");
    }

    private static String row(String key, String op, String before, String after) {
        return String.join("\t", "R", "t", key, op, before, after);
    }

    @Test
    void aRowMayBeCopiedInALaterStateUnlessTheCopyIsExact() {
        String[] lines = {row("1", "r", "none", "v=2 "), row("2", "r", "none", "v=1 "), row("1", "u", "v=1 ", "v=2 ")};

        assertEquals("", difference(false, lines));
        assertTrue(difference(true, lines).startsWith("t 1 was copied as v=2"), difference(true, lines));
    }

    @Test
    void noticesARowThatIsOlderThanThePosition() {
        assertTrue(difference(
                        false,
                        row("1", "r", "none", "v=0 "),
                        row("2", "r", "none", "v=1 "),
                        row("1", "u", "v=1 ", "v=2 "))
                .startsWith("t 1 was copied as v=0"));
    }

    @Test
    void noticesAMissingRow() {
        assertTrue(difference(false, row("1", "r", "none", "v=2 ")).startsWith("t 2 was not copied"));
    }

    @Test
    void noticesARowThatIsCopiedTwiceWithoutAMove() {
        String once = row("2", "r", "none", "v=1 ");

        assertTrue(difference(false, row("1", "r", "none", "v=2 "), once, once).startsWith("t 2 was copied 2 times"));
    }

    @Test
    void aRowThatMovesMayBeCopiedTwice() {
        assertEquals(
                "",
                difference(
                        false,
                        row("1", "r", "none", "v=1 "),
                        row("1", "r", "none", "v=2 "),
                        row("2", "r", "none", "v=1 "),
                        row("1", "d", "v=1 ", "none"),
                        row("1", "c", "none", "v=2 ")));
    }

    @Test
    void noticesAChangeThatIsMissingOrTwice() {
        String change = row("1", "u", "v=1 ", "v=2 ");
        String[] twice = {row("1", "r", "none", "v=1 "), row("2", "r", "none", "v=1 "), change, change};

        assertTrue(difference(true, twice).startsWith("changes of t 1 are missing or twice"));
        assertTrue(difference(true, row("1", "r", "none", "v=1 "), row("2", "r", "none", "v=1 "))
                .startsWith("t 1 was copied as v=1"));
    }

    @Test
    void readsPositionAndTransactions() {
        CopyCheck check = CopyCheck.of(List.of("P\tu:1-4", "G\tu:5", row("1", "u", "v=1 ", "v=2 "), "other", "G\tu:6"));

        assertEquals("u:1-4", check.position());
        assertEquals(List.of("u:5", "u:6"), check.gtids());
        assertEquals(Optional.of("t 1 ends as v=2 , the shards have none"), check.differenceTo(Map.of(), false));
    }

    @Test
    void withoutACopyOnlyTheRowsThatChangeMustEndAsThoseOfTheShards() {
        String[] whole = {row("1", "u", "v=0 ", "v=1 "), row("1", "u", "v=1 ", "v=2 ")};
        String[] gap = {row("1", "u", "v=0 ", "v=1 "), row("1", "u", "v=4 ", "v=2 ")};
        String[] early = {row("1", "u", "v=0 ", "v=1 ")};

        assertEquals(Optional.empty(), CopyCheck.of(List.of(whole)).differenceOfChangesTo(ROWS));
        assertTrue(CopyCheck.of(List.of(gap))
                .differenceOfChangesTo(ROWS)
                .orElse("")
                .contains("missing or twice"));
        assertTrue(CopyCheck.of(List.of(early))
                .differenceOfChangesTo(ROWS)
                .orElse("")
                .contains("ends as v=1"));
    }

    @Test
    void aRowThatIsCopiedWhileChangesAreReadIsNotOlderThanThose() {
        List<String> older =
                List.of(row("2", "r", "none", "v=1 "), row("1", "u", "v=1 ", "v=2 "), row("1", "r", "none", "v=1 "));
        List<String> leftOut = List.of(row("2", "r", "none", "v=1 "), row("1", "u", "v=1 ", "v=2 "));

        assertTrue(
                CopyCheck.of(older, true).differenceTo(ROWS, false).orElse("").startsWith("t 1 was copied as v=1"));
        assertEquals(Optional.empty(), CopyCheck.of(leftOut, true).differenceTo(ROWS, false));
        assertTrue(CopyCheck.of(leftOut).differenceTo(ROWS, false).orElse("").startsWith("t 1 was not copied"));
    }
}
