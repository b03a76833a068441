/**
 * Real MySQL servers as child processes on loopback, each with its own folder, port and server id. All processes
 * end with the JVM that started them.
 */
package io.tributary.testkit.server;
