/**
 * Real MySQL servers as child processes on loopback, each with a folder, a port and a server id of its own. No process
 * outlives the JVM that started it.
 */
package io.tributary.testkit.server;
