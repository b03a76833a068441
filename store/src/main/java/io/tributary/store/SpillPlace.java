package io.tributary.store;

/**
 * The address of a segment on the spill disk.
 *
 * @param id its key
 * @param bytes its length
 */
record SpillPlace(SpillGeneration generation, long id, int bytes) {}
