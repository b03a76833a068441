/** Global order without timestamps (order.mode=xa): branches, completeness, and XIDs that are used again. */
package io.tributary.collector.order.xa;
