/** Shared parts of the benches of single stages: their threads and the usage of these. */
package io.tributary.bench.stage;
