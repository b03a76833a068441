/**
 * The transmit stages: they carry chunks from the collector of a Task to the dumper, in one process by a link alone, between two processes
 * by a gRPC stream; and tokens from a relay to the Task above it. The messages of tokens are in {@code token}.
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
 * The receiver pulls: its first message names the cut, each later one gives credit for more bytes.
 */
package io.tributary.transmitter;
