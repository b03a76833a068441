/** Global order by commit timestamps (order.mode=tso). */
package io.tributary.collector.order.tso;
