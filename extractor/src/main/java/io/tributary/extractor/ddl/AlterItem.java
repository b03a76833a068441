package io.tributary.extractor.ddl;

import io.tributary.common.value.DdlKind;

/**
 * One item of an ALTER TABLE.
 *
 * @param role its role, which determines how it is written
 * @param kind EARLY, LATE, FORWARD or WAIT
 * @param from index of its first token
 * @param to index after its last token
 */
record AlterItem(Role role, DdlKind kind, int from, int to) {
    enum Role {
        /** Changes the table. */
        CHANGE,
        /** Adds a column that each server computes from others. */
        GENERATED,
        /** A storage option that no reader of rows can see: it is not part of the statement's identity. */
        OPTION,
        /** Defines how the statement is executed: ALGORITHM, LOCK, VALIDATION. */
        MODIFIER,
        /** The table's new name. */
        RENAME,
        /** A location on the shard's own disk, which is not written. */
        TABLESPACE,
        /** Follows the last item without a comma: PARTITION BY, REMOVE PARTITIONING. */
        TAIL
    }

    boolean is(Role other) {
        return role == other;
    }
}
