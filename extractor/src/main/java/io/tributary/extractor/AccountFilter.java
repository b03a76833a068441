package io.tributary.extractor;

/** The handling of account statements (CREATE USER, GRANT, ...). */
public enum AccountFilter {
    DROP,
    PASS
}
