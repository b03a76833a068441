package io.tributary.serve.filter;

/** The tables that each user may read. Called on event loops: must not block. */
@FunctionalInterface
public interface ReaderFilters {
    /** The filter of a user. */
    TableFilter of(String user);
}
