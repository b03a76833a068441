package io.tributary.serve.find;

/**
 * The limit of the rows of an answer, as in MySQL's LIMIT clause.
 *
 * @param skip number of rows before the first one of the answer
 * @param count maximum number of rows
 */
public record RowLimit(long skip, long count) {
    public RowLimit {
        if (skip < 0 || count < 0) {
            throw new IllegalArgumentException("expected a limit of 0 or more rows, found " + skip + ", " + count);
        }
    }
}
