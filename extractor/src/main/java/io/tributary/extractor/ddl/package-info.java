/**
 * DDL statements: what they do to which named things, when each part of them may be written, and how it reads with logical names.
 *
 * <pre>
 *   text ──SqlScanner──> SqlTokens ──DdlParser──> DdlStatement ──OnlineChanges──> itself, nothing, or the ALTER of a copy
 *                                                     │
 *                                            StatementMapper ──┬─> AlterItems, AlterParts, TableCreation, Renames (parts)
 *                                                              ├─> Identity (what makes two parts the same)
 *                                                              └─> Edits (the text of each part)
 * </pre>
 */
package io.tributary.extractor.ddl;
