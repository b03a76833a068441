package io.tributary.serve.schema;

import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.EventExecutorGroup;

/**
 * The threads of the server of readers. They are not owned.
 *
 * @param loops event loops of all connections: nothing on them may block or take long
 * @param workers threads for what may block or take long, such as the look-up of a host name
 */
public record ServeThreads(EventLoopGroup loops, EventExecutorGroup workers) {}
