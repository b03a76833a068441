package io.tributary.collector;

import io.tributary.common.order.OrderMode;
import io.tributary.common.value.Cut;

/**
 * Where an order of transactions starts or resumes.
 *
 * @param mode which order
 * @param cut contains all shards in the order of their indexes
 */
public record OrderStart(OrderMode mode, Cut cut) {}
