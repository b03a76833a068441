/** The whole of Tributary with real servers: real shards, a node as a process of its own, real readers. */
package io.tributary.system;
