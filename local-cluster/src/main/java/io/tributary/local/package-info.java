/** A whole Tributary on one machine: real shards, a node as a process of its own, real replicas. For the quickstart and the system tests. */
package io.tributary.local;
