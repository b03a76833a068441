package io.tributary.schema.write;

import static io.tributary.schema.Statements.NO_OTHER;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.schema.definition.TableDefinition;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CreateTableTest {
    private static final int DEFINITIONS = 2000;
    private static final long SEED = Long.getLong("schema.seed", 11);

    @Test
    void parsingTheWrittenTextGivesTheSameDefinition() {
        RandomDefinitions definitions = new RandomDefinitions(new Random(SEED));
        ReadSession other = ReadSession.standard("other").withSchemaCollation("gbk_bin");
        for (int i = 0; i < DEFINITIONS; i++) {
            TableDefinition definition = definitions.next();
            String text = CreateTable.text(definition);
            assertEquals(
                    Optional.of(definition),
                    DefinitionReader.create(text, other, NO_OTHER),
                    () -> "seed " + SEED + ": " + text);
        }
    }
}
