/** Fills a new replica from shards that already hold data, and compares replicas with the shards. */
package io.tributary.seed;
