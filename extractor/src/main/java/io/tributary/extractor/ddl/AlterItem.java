package io.tributary.extractor.ddl;

import io.tributary.common.value.DdlKind;

/**
 * One item of an ALTER TABLE.
 *
 * @param role what becomes of it
 * @param kind EARLY, LATE, FORWARD or WAIT
 * @param from its first token
 * @param to behind its last token
 */
record AlterItem(Role role, DdlKind kind, int from, int to) {
    enum Role {
        /** Changes the table. */
        CHANGE,
        /** Adds a column that each server computes of others. */
        GENERATED,
        /** A storage option that no reader of rows can see: it makes no difference to what the statement is. */
        OPTION,
        /** Says how the statement is to be run: ALGORITHM, LOCK, VALIDATION. */
        MODIFIER,
        /** The table's new name. */
        RENAME,
        /** A place of the shard's own disk, which is not written. */
        TABLESPACE,
        /** Follows the last item without a comma: PARTITION BY, REMOVE PARTITIONING. */
        TAIL
    }

    boolean is(Role other) {
        return role == other;
    }
}
