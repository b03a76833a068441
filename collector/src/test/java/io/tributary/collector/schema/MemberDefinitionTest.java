package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemberDefinitionTest {
    private static final Map<String, String> SWAP = Map.of("a", "b", "b", "a");

    @Test
    void aColumnThatTheMemberLacksHasItsNewNameInTheOutputOnceTheMemberAddsIt() {
        MemberDefinition before =
                MemberDefinition.of(table("CREATE TABLE t (a INT)")).outputRenamed(SWAP);
        assertEquals("b", before.nameInOutput("a"));
        MemberDefinition added = before.changed(table("CREATE TABLE t (a INT, b TEXT)"), Map.of());
        assertEquals("b", added.nameInOutput("a"));
        assertEquals("a", added.nameInOutput("b"));
        MemberDefinition conforming = added.changed(table("CREATE TABLE t (b INT, a TEXT)"), SWAP);
        assertEquals(Map.of(), conforming.renamed());
    }

    @Test
    void aColumnThatTheMemberLacksMayBeRenamedTwice() {
        MemberDefinition member = MemberDefinition.of(table("CREATE TABLE t (a INT)"))
                .outputRenamed(Map.of("x", "y"))
                .outputRenamed(Map.of("y", "z"));
        assertEquals(Map.of("x", "z"), member.renamed());
        assertEquals(
                "z",
                member.changed(table("CREATE TABLE t (a INT, x INT)"), Map.of()).nameInOutput("x"));
    }

    private static Optional<TableDefinition> table(String text) {
        return DefinitionReader.create(text, ReadSession.standard("shop"), other -> Optional.empty());
    }
}
