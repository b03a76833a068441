/**
 * The test kit: real servers, seeded workloads, checkers of the invariants and a fault-injecting proxy, for the tests of all modules,
 * the benchmarks and the quickstart.
 */
package io.tributary.testkit;
