package io.tributary.extractor.ddl;

import io.tributary.common.value.TableName;

/**
 * A name in a statement's text.
 *
 * @param start offset at which it begins, with its qualifier; {@link #NOWHERE} if the text implies it
 * @param end offset after its last character
 * @param name the name, with the default schema if it has no qualifier
 * @param qualified whether it is written with its schema
 * @param target whether the statement changes the named object; if not, it only refers to it
 */
record NameSpan(int start, int end, TableName name, boolean qualified, boolean target) {
    static final int NOWHERE = -1;

    boolean isWritten() {
        return start != NOWHERE;
    }
}
