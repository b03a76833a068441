package io.tributary.collector.schema;

import io.tributary.common.value.Ddl.Part;
import java.nio.ByteBuffer;

/**
 * A statement that is written without a token.
 *
 * @param event its normalised QUERY event from position to limit; read-only
 */
public record DueStatement(Part part, ByteBuffer event) {}
