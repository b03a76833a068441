/** Tokens of a relay's shards as messages: columns of differences, names sent once, payload in pieces. */
package io.tributary.transmitter.token;
