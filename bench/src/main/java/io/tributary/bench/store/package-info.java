/** The payload store alone: into and out of memory, and of disk. */
package io.tributary.bench.store;
