/** The server that is seeded: its checks, its progress, and its start as a replica. */
package io.tributary.seed.replica;
