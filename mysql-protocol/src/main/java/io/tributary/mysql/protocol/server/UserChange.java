package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.auth.Account;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * COM_CHANGE_USER: changes the user of a session after all checks of a login, within the timeout of a login; if they fail the
 * connection ends, as with MySQL. On the event loop.
 */
final class UserChange implements PasswordExchange.Listener {
    private final MysqlServer server;
    private final Session session;
    private final ClientHello wanted;
    private final Runnable done;
    private final PasswordExchange exchange;
    private final ScheduledFuture<?> expiry;
    private boolean ended;

    /**
     * Begins the change.
     *
     * @param done called when the session belongs to the other user, before the client is answered; from then on it sends commands again
     */
    UserChange(MysqlServer server, ChannelHandlerContext ctx, Session session, ClientHello wanted, Runnable done) {
        this.server = server;
        this.session = session;
        this.wanted = wanted;
        this.done = done;
        InetSocketAddress peer = (InetSocketAddress) ctx.channel().remoteAddress();
        this.exchange = new PasswordExchange(server, ctx, peer.getAddress(), this);
        this.expiry = ctx.executor()
                .schedule(
                        () -> Outbound.close(ctx.channel()),
                        server.settings().limits().logins().timeout().toMillis(),
                        TimeUnit.MILLISECONDS);
        exchange.beginAgain(wanted);
    }

    /** Processes a packet of the client. */
    void received(ByteBuf packet) {
        if (!ended) {
            exchange.answered(packet);
        }
    }

    @Override
    public void reply(byte[] payload) {
        session.sendReply(payload);
    }

    @Override
    public void accepted(Account account) {
        Optional<ErrPacket> refusal = server.changeUser(session, new Login(wanted, account));
        if (refusal.isPresent()) {
            refused(refusal.get());
            return;
        }
        close();
        done.run();
    }

    @Override
    public void refused(ErrPacket error) {
        if (!ended) {
            close();
            session.end(error);
        }
    }

    @Override
    public void failed(Throwable cause) {
        refused(MysqlError.ER_HANDSHAKE_ERROR.packet("Bad handshake"));
    }

    /** Ends it because it is complete, or because the connection has ended. */
    void close() {
        ended = true;
        expiry.cancel(false);
    }
}
