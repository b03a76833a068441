package io.tributary.dumper;

import java.util.List;
import java.util.Optional;

/**
 * What a purge has done.
 *
 * @param purged names of the files that are gone
 * @param held the first file that was to go and was kept, since it is needed; empty for none
 * @param awaitsSnapshot whether it was kept for the journal only: a file is begun with a snapshot, and a purge once readers may read that
 *     is not held for it
 */
public record Purge(List<String> purged, Optional<String> held, boolean awaitsSnapshot) {}
