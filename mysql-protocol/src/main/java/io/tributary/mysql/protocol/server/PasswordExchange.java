package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.MysqlError;
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
 * The password exchange of one user on one connection, at the login or when the user changes: it finds the account, checks whether the
 * user may log in from the address, and runs the steps of {@link PasswordCheck} on the login thread. On the event loop.
 */
final class PasswordExchange {
    private static final Logger LOG = LoggerFactory.getLogger(PasswordExchange.class);
    private static final int MOST_ANSWERS = 6;
    private static final int FORGET_SECONDS = 60;
    private static final ErrPacket TOO_OLD = MysqlError.ER_NOT_SUPPORTED_AUTH_MODE.packet(
            "Client does not support authentication protocol requested by server; consider upgrading MySQL client");

    private final MysqlServer server;
    private final ChannelHandlerContext ctx;
    private final InetAddress host;
    private final Listener listener;
    private ClientHello hello;
    private PasswordCheck check;
    private int answers;
    private boolean checking;

    /** Receives the results; on the event loop. */
    interface Listener {
        /** Sends this to the client. */
        void reply(byte[] payload);

        void accepted(Account account);

        /** Called after a delay if logins of the host were refused often. */
        void refused(ErrPacket error);

        /** The client did not follow the protocol. */
        void failed(Throwable cause);
    }

    PasswordExchange(MysqlServer server, ChannelHandlerContext ctx, InetAddress host, Listener listener) {
        this.server = server;
        this.ctx = ctx;
        this.host = host;
        this.listener = listener;
    }

    /** Begins with the client's answer to the greeting with this nonce. */
    void begin(ClientHello wanted, byte[] nonce) {
        hello = wanted;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        Optional<X509Certificate> shown = clientCertificate(tls);
        step(() -> checked(shown, nonce, tls != null).begin(hello));
    }

    /** Begins with a change of the user: the client is asked for a proof of the password in any case. */
    void beginAgain(ClientHello wanted) {
        hello = wanted;
        SslHandler tls = ctx.pipeline().get(SslHandler.class);
        Optional<X509Certificate> shown = clientCertificate(tls);
        byte[] nonce = server.secrets().nonce();
        step(() -> checked(shown, nonce, tls != null).ask(hello));
    }

    /**
     * Processes another packet of the client.
     *
     * @throws TributaryException PROTOCOL_VIOLATED if a reply was not sent yet, or there were too many packets
     */
    void answered(ByteBuf packet) {
        if (checking || ++answers > MOST_ANSWERS) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected at most " + MOST_ANSWERS + " packets, each after an answer");
        }
        byte[] answer = ByteBufUtil.getBytes(packet);
        step(() -> check.answered(answer));
    }

    /** On the login thread. */
    private PasswordCheck checked(Optional<X509Certificate> shown, byte[] nonce, boolean encrypted) {
        Optional<Account> account =
                server.settings().users().find(hello.user()).filter(found -> found.admits(host, shown));
        check = new PasswordCheck(account, server.secrets(), nonce, encrypted);
        return check;
    }

    /** Runs a step on the login thread; the connection continues with its outcome, and accepts no packet in the meantime. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener handles success and failure
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

    /** The certificate verified in the handshake; empty if the client has none, or none is requested. */
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
            checking = true; // further packets are violations
            listener.refused(TOO_OLD);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the scheduled tasks cannot fail
    private void denied() {
        String address = host.getHostAddress();
        LoginLimiter limiter = server.limiter();
        if (limiter.failed(host)) { // logs only some refusals of a host that is refused often
            LOG.info("login refused: user=\"{}\" host={}", hello.user(), address);
            ctx.executor().schedule(() -> limiter.forget(host), FORGET_SECONDS, TimeUnit.SECONDS);
        }
        String message = "Access denied for user '" + hello.user() + "'@'" + address + "' (using password: "
                + (check.hasPassword() ? "YES" : "NO") + ")";
        checking = true; // further packets are violations
        ctx.executor()
                .schedule(
                        () -> listener.refused(MysqlError.ER_ACCESS_DENIED_ERROR.packet(message)),
                        limiter.delayMillis(host),
                        TimeUnit.MILLISECONDS);
    }
}
