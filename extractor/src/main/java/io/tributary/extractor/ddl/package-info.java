/**
 * DDL statements: their effect on named objects, when each part may be written, and their text with logical names.
 *
 * <pre>
 *   text ──SqlScanner──> SqlTokens ──DdlParser──> DdlStatement ──OnlineChanges──> itself, nothing, or the ALTER of a copy
 *                                                     │
 *                                            StatementMapper ──┬─> AlterItems, AlterParts, TableCreation, Renames (parts)
 *                                                              ├─> Identity (decides whether two parts are the same)
 *                                                              └─> Edits (the text of each part)
 * </pre>
 */
package io.tributary.extractor.ddl;
