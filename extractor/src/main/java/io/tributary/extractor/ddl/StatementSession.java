package io.tributary.extractor.ddl;

import io.tributary.schema.sql.SqlMode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/**
 * The settings of a session that determine how its statement is read, written and executed.
 *
 * @param mode determines how its text is split into tokens
 * @param charset the character set of its text
 * @param variables the status variables of its QUERY event, from 0 to the limit; read only
 */
public record StatementSession(SqlMode mode, Charset charset, ByteBuffer variables) {}
