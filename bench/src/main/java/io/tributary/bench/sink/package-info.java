/** The bench of the sink: decoding of rows, encoding of messages, and the way to a broker. */
package io.tributary.bench.sink;
