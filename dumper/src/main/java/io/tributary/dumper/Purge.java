package io.tributary.dumper;

import java.util.List;
import java.util.Optional;

/**
 * What a purge has done.
 *
 * @param purged names of the files that are gone
 * @param held the first file that was to go and was kept, since somebody reads it; empty when nobody does
 */
public record Purge(List<String> purged, Optional<String> held) {}
