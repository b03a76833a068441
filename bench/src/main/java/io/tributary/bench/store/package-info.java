/** The payload store alone: writes and reads in memory and on disk. */
package io.tributary.bench.store;
