/** Runs a sink: {@link io.tributary.sink.run.Sink} joins the reader of the stream, the workers that encode, and the sender. */
package io.tributary.sink.run;
