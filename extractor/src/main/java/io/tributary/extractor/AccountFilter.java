package io.tributary.extractor;

/** What becomes of account statements (CREATE USER, GRANT, ...). */
public enum AccountFilter {
    DROP,
    PASS
}
