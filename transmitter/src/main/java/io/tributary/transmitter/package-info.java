/**
 * Hands chunks from the collector on a Task to the dumper: in one process by a link alone, between two by a gRPC stream; and
 * tokens from a relay to the Task above it.
 *
 * <pre>
 *   Task                                                      Dumper
 *   collector -&gt; Link -&gt; TransmitSender === Stream ===&gt; TransmitReceiver -&gt; Link -&gt; dumper
 *                          TransmitServer &lt;== credit, resume cut ==
 *
 *   relay                                                     Task
 *   merger -&gt; Link -&gt; TokenSender ====== Stream ======&gt; TokenReceiver -&gt; Link -&gt; merger, payload into the Task's store
 *                     TransmitServer &lt;== credit, cut ==
 *
 *   one process:  collector -&gt; Link -&gt; dumper
 * </pre>
 *
 * Whoever receives pulls: its first message says from which cut, each later one how many bytes more it takes.
 */
package io.tributary.transmitter;
