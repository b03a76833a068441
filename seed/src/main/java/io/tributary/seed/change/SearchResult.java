package io.tributary.seed.change;

import java.util.List;

/**
 * What a search has found.
 *
 * @param changes one for each finding that was searched
 * @param from the oldest file that was read as a whole; "" for none
 * @param to the newest file
 * @param bytes of these files
 * @param end why older files were not read: "" if all rows were found or the node has no older file
 * @param unread rows events that could not be decoded, such as with columns that are not known any more
 */
public record SearchResult(List<LastChange> changes, String from, String to, long bytes, String end, long unread) {
    private static final double MIB = 1 << 20;

    public SearchResult {
        changes = List.copyOf(changes);
    }

    /** No search, for this reason. */
    public static SearchResult none(String reason) {
        return new SearchResult(List.of(), "", "", 0, reason, 0);
    }

    /** What was read, in words. */
    public String range() {
        String read = from.isEmpty()
                ? "no binlog file"
                : (from.equals(to) ? to : from + " to " + to) + String.format(" (%.1f MiB)", bytes / MIB);
        return read
                + (end.isEmpty() ? "" : "; older ones not: " + end)
                + (unread == 0 ? "" : "; " + unread + " events with other columns could not be searched");
    }
}
