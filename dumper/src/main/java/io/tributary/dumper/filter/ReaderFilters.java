package io.tributary.dumper.filter;

/** What each user may read. Called on event loops: must not block. */
@FunctionalInterface
public interface ReaderFilters {
    /** The filter of an account, by its name. */
    TableFilter of(String user);
}
