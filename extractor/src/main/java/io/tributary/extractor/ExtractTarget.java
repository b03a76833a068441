package io.tributary.extractor;

import io.tributary.store.PayloadStore;

/**
 * Where extractors put what they read; shared by all extractors.
 *
 * @param order in which the tokens leave
 * @param store for the payload
 * @param tables assigns the ids of tables in the output
 */
public record ExtractTarget(ExtractOrder order, PayloadStore store, TableRegistry tables) {}
