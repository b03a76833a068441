/** A complete Tributary on one machine: real shards, nodes as child processes, real replicas. For the quickstart and the system tests. */
package io.tributary.local;
