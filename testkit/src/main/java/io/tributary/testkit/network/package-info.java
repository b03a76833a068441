/**
 * A network of machines inside this one, which loses packets as real networks do: nobody is told of it.
 *
 * <pre>
 *   this process, 10.77.0.1 --- bridge --- port - link - machine "d1", 10.77.0.2 (a network namespace)
 *                                     \--- port - link - machine "d2", 10.77.0.3
 * </pre>
 *
 * What a machine sends and gets passes its port, where a filter drops what it is told to.
 */
package io.tributary.testkit.network;
