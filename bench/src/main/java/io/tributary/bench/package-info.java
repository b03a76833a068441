/**
 * Benchmarks: {@code bin/bench NAME} runs one and prints its figures; docs/performance.md tells what came out.
 *
 * <p>A bench is a {@link io.tributary.bench.Benchmark} in a package of its name; {@link io.tributary.bench.Bench} lists them. It gives
 * {@link io.tributary.bench.Figure}s back: medians over its runs, beside a peer's where there is one, with the {@link
 * io.tributary.bench.Target} that they are meant to reach. To add one: write that class, and add it to the list. Whole nodes run in
 * processes of their own, so that their CPU and memory can be told from those of the load.
 */
package io.tributary.bench;
