package io.tributary.store;

/**
 * Where a segment lies on the spill disk.
 *
 * @param id its key
 * @param bytes how many
 */
record SpillPlace(SpillGeneration generation, long id, int bytes) {}
