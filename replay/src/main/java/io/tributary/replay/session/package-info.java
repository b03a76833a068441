/** Connections with blocking statements to shards, to the target and to Tributary's own port. */
package io.tributary.replay.session;
