package io.tributary.extractor.ddl;

import io.tributary.schema.sql.SqlMode;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/**
 * What a session's settings say of how its statement is read, written and run.
 *
 * @param mode how its text is cut into tokens
 * @param charset the character set of its text
 * @param variables the status variables of its QUERY event, from 0 to the limit; looked at only
 */
public record StatementSession(SqlMode mode, Charset charset, ByteBuffer variables) {}
