/** Tests of the whole of Tributary with real servers: real shards, nodes as separate processes, and real readers. */
package io.tributary.system;
