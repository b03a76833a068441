/**
 * The loopback source: canned binlogs of real MySQL servers, served as if their servers were there.
 *
 * <p>{@link io.tributary.bench.source.CannedBinlogs} makes the binlogs once. {@link io.tributary.bench.source.LoopbackSource} is a
 * process of its own that serves each of them at a port; {@link io.tributary.bench.source.SourceProcess} starts and asks it.
 */
package io.tributary.bench.source;
