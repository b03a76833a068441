package io.tributary.mysql.event;

/** Bits of a header's flags that Tributary reads or sets (libbinlogevents/include/binlog_event.h, sql/log_event.h). */
public final class EventFlags {
    /** In a format description: the file is being written, or was not closed. Not part of the checksum. */
    public static final int LOG_EVENT_BINLOG_IN_USE_F = 0x1;
    /** A query that depends on the session's thread id (temporary tables). */
    public static final int LOG_EVENT_THREAD_SPECIFIC_F = 0x4;
    /** A query that does not need the default schema. */
    public static final int LOG_EVENT_SUPPRESS_USE_F = 0x8;
    /** Created for the reader, not part of the file: log_pos is 0. */
    public static final int LOG_EVENT_ARTIFICIAL_F = 0x20;
    /** Written by a replica's receiver. */
    public static final int LOG_EVENT_RELAY_LOG_F = 0x40;
    /** A reader that does not know the type skips it. */
    public static final int LOG_EVENT_IGNORABLE_F = 0x80;
    /** Must not be filtered by schema. */
    public static final int LOG_EVENT_NO_FILTER_F = 0x100;
    /** Must be alone in its group for parallel replay. */
    public static final int LOG_EVENT_MTS_ISOLATE_F = 0x200;

    private EventFlags() {}
}
