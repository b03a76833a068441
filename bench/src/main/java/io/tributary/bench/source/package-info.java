/**
 * The loopback source: canned binlogs of real MySQL servers, served as by their servers.
 *
 * <p>{@link io.tributary.bench.source.CannedBinlogs} writes the binlogs once. {@link io.tributary.bench.source.LoopbackSource} is a
 * separate process that serves each of them at a port; {@link io.tributary.bench.source.SourceProcess} starts it and reads its progress.
 */
package io.tributary.bench.source;
