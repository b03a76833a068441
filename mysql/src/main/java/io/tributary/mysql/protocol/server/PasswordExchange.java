package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.auth.Account;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation about one user's password on one connection, at the login or when the user changes: which account it is, whether it
 * may come from there, and {@link PasswordCheck} step by step, each of them done by the thread of logins. On the event loop.
 */
final class PasswordTalk {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordTalk.class);
    private static final int MOST_ANSWERS = 6;
    private static final int FORGET_SECONDS = 60;
    private static final ErrPacket TOO_OLD = new ErrPacket(
            1251,
            "08004",
            "Client does not support authentication protocol requested by server; consider upgrading MySQL client");

    private final MysqlServer server;
    private final ChannelHandlerContext ctx;
    private final InetAddress host;
    private final Listener listener;
    private ClientHello hello;
    private PasswordCheck check;
    private int answers;
    private boolean checking;

    /** What comes of it; on the event loop. */
    interface Listener {
        /** The client is to be told this. */
        void reply(byte[] payload);

        void accepted(Account account);

        /** After a while, where somebody guesses. */
        void refused(ErrPacket error);

        /** The client did not follow the protocol. */
        void failed(Throwable cause);
    }

    PasswordTalk(MysqlServer server, ChannelHandlerContext ctx, InetAddress host, Listener listener) {
        this.server = server;
        this.ctx = ctx;
        this.host = host;
        this.listener = listener;
    }

    /** Begins with the client's answer to the greeting, which had this nonce. */
    void begin(ClientHello wanted, byte[] nonce) {
        hello = wanted;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        Optional<X509Certificate> shown = clientCertificate(tls);
        step(() -> checked(shown, nonce, tls != null).begin(hello));
    }

    /** Begins with a change of the user: the client is asked for a proof of the password in any case. */
    void beginAnew(ClientHello wanted) {
        hello = wanted;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        Optional<X509Certificate> shown = clientCertificate(tls);
        byte[] nonce = server.secrets().nonce();
        step(() -> checked(shown, nonce, tls != null).ask(hello));
    }

    /**
     * The client says something more.
     *
     * @throws TributaryException PROTOCOL_VIOLATED when it was not its turn, or says too much
     */
    void answered(ByteBuf packet) {
        if (checking || ++answers > MOST_ANSWERS) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected at most " + MOST_ANSWERS + " packets, each after an answer");
        }
        byte[] answer = ByteBufUtil.getBytes(packet);
        step(() -> check.answered(answer));
    }

    /** On the thread of logins. */
    private PasswordCheck checked(Optional<X509Certificate> shown, byte[] nonce, boolean encrypted) {
        Optional<Account> account =
                server.settings().users().find(hello.user()).filter(found -> found.admits(host, shown));
        check = new PasswordCheck(account, server.secrets(), nonce, encrypted);
        return check;
    }

    /** Has a step done by the thread of logins; the connection goes on with its outcome, and says nothing meanwhile. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener takes success and failure
    private void step(Supplier<PasswordCheck.Step> step) {
        checking = true;
        server.logins()
                .next()
                .submit(step::get)
                .addListener((Future<PasswordCheck.Step> done) -> ctx.executor().execute(() -> {
                    checking = false;
                    if (!ctx.channel().isActive()) {
                        return;
                    }
                    if (done.isSuccess()) {
                        proceed(done.getNow());
                    } else {
                        listener.failed(done.cause());
                    }
                }));
    }

    /** Verified in the handshake; empty where the client has none, or none is asked for. */
    private static Optional<X509Certificate> clientCertificate(SslHandler tls) {
        try {
            return tls != null
                            && tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? Optional.of(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    private void proceed(PasswordCheck.Step step) {
        if (step.reply().length > 0) {
            listener.reply(step.reply());
        }
        if (step.outcome() == PasswordCheck.Outcome.ACCEPTED) {
            listener.accepted(check.account());
        } else if (step.outcome() == PasswordCheck.Outcome.REFUSED) {
            denied();
        } else if (step.outcome() == PasswordCheck.Outcome.TOO_OLD) {
            checking = true; // whatever it says now
            listener.refused(TOO_OLD);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here cannot fail
    private void denied() {
        String address = host.getHostAddress();
        LoginGate gate = server.gate();
        if (gate.failed(host)) { // those that come too often are not all worth a line
            LOG.info("login of '{}' from {} refused", hello.user(), address);
            ctx.executor().schedule(() -> gate.forget(host), FORGET_SECONDS, TimeUnit.SECONDS);
        }
        String message = "Access denied for user '" + hello.user() + "'@'" + address + "' (using password: "
                + (check.hasPassword() ? "YES" : "NO") + ")";
        checking = true; // whatever it says now
        ctx.executor()
                .schedule(
                        () -> listener.refused(new ErrPacket(1045, "28000", message)),
                        gate.delayMillis(host),
                        TimeUnit.MILLISECONDS);
    }
}
