/**
 * Benchmarks: {@code bin/bench NAME} runs one and prints its figures; docs/performance.md contains the results.
 *
 * <p>A bench is a {@link io.tributary.bench.Benchmark} in a package with its name; {@link io.tributary.bench.Bench} lists them. It returns
 * {@link io.tributary.bench.Figure}s: the values of its runs, with those of a peer if there is one, and a {@link
 * io.tributary.bench.Target}. To add one, write this class and add it to the list. Whole nodes run in separate
 * processes, so that their CPU and memory are measured without those of the load.
 */
package io.tributary.bench;
