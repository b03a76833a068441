/**
 * Whole-pipeline benchmarks: {@code bin/bench NAME} runs one and prints its figures; docs/performance.md tells what came out.
 *
 * <p>A bench is a {@link io.tributary.bench.Benchmark}; {@link io.tributary.bench.Bench} knows them by name. What is
 * measured runs in processes of its own, so that its CPU and memory can be told from those of the load.
 */
package io.tributary.bench;
