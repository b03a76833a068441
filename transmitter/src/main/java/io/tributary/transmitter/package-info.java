/**
 * Hands chunks from the collector on a Task to the dumper: in one process by a link alone, between two by a gRPC stream.
 *
 * <pre>
 *   Task                                                      Dumper
 *   collector -&gt; Link -&gt; TransmitSender === Stream ===&gt; TransmitReceiver -&gt; Link -&gt; dumper
 *                          TransmitServer &lt;== credit, resume cut ==
 *
 *   one process:  collector -&gt; Link -&gt; dumper
 * </pre>
 *
 * The dumper pulls: its first message says from which cut, each later one how many bytes more it takes.
 */
package io.tributary.transmitter;
