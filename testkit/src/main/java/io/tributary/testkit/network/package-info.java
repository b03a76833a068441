/**
 * A network of machines inside this one, which loses packets as real networks do: without informing any process.
 *
 * <pre>
 *   this process, 10.77.0.1 --- bridge --- port - link - machine "d1", 10.77.0.2 (a network namespace)
 *                                     \--- port - link - machine "d2", 10.77.0.3
 * </pre>
 *
 * All packets of a machine pass its port, where a filter drops the configured ones.
 */
package io.tributary.testkit.network;
