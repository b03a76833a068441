/** What benches of single stages share: their threads, and what those use. */
package io.tributary.bench.stage;
