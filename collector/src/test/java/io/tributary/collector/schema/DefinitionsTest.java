package io.tributary.collector.schema;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.collector.schema.member.ShardNames;
import io.tributary.collector.schema.member.TableMember;
import io.tributary.common.value.TableName;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.store.JournalMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DefinitionsTest {
    @Test
    void aLeavingShardKeepsTheDefinitionsOfASchemaWithItsName() {
        ShardNames names = new ShardNames();
        names.put(0, "s1");
        names.put(1, "s2");
        Definitions definitions = new Definitions(new SchemaJournal(JournalMap.onHeap()), names, table -> List.of());
        TableName table = new TableName("s1", "t");
        definitions.put(
                table,
                DefinitionReader.create("CREATE TABLE t (a INT)", ReadSession.standard("s1"), other -> Optional.empty())
                        .orElseThrow());
        definitions.put(table, new TableMember(0, table), MemberDefinition.UNKNOWN);
        definitions.put(table, new TableMember(1, table), MemberDefinition.UNKNOWN);
        definitions.removeShard(0);
        assertFalse(definitions.deviates(table, new TableMember(0, table)));
        assertTrue(definitions.deviates(table, new TableMember(1, table)));
    }
}
