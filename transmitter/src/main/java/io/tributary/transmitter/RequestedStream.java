package io.tributary.transmitter;

/**
 * The stream that a Dumper requests from a Task.
 *
 * @param epoch the leader's epoch, which grows with each new leader among the Dumpers; 0 if there is only one Dumper
 * @param start the last durable cut, and the journal at that cut
 */
public record RequestedStream(StreamIdentity identity, long epoch, StreamStart start) {}
