/** A consumer of the topics that a sink writes, which fills a MySQL server. */
package io.tributary.local.kafka;
