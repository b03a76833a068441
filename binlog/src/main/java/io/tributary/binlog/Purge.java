package io.tributary.binlog;

import java.util.List;
import java.util.Optional;

/**
 * The result of a purge.
 *
 * @param purged names of the deleted files
 * @param held the first file that the purge should delete and that was kept because it is needed; empty for none
 * @param awaitsSnapshot whether it was kept for the journal only. Then a new file is begun with a snapshot, and it does not hold a
 *     purge any more once readers may read that snapshot
 */
public record Purge(List<String> purged, Optional<String> held, boolean awaitsSnapshot) {}
