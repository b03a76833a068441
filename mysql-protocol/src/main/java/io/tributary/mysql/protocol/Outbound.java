package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;

/** Sends and closes without a future: a failed write ends the connection, which its handler notices. */
public final class Outbound {
    private Outbound() {}

    /** Sends {@code bytes} and takes ownership of them; from any thread. */
    @SuppressWarnings("FutureReturnValueIgnored") // the void promise reports a failure to the channel's last handler
    public static void send(Channel channel, ByteBuf bytes) {
        channel.writeAndFlush(bytes, channel.voidPromise());
    }

    /** Sends {@code bytes}, takes ownership of them, and closes the connection after them. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener closes in any case
    public static void sendLast(Channel channel, ByteBuf bytes) {
        channel.writeAndFlush(bytes).addListener(ChannelFutureListener.CLOSE);
    }

    /** Closes the connection; from any thread, also repeatedly. */
    @SuppressWarnings("FutureReturnValueIgnored") // closing does not fail
    public static void close(Channel channel) {
        channel.close();
    }
}
