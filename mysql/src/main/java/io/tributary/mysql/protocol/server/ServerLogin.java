package io.tributary.mysql.protocol.server;

import static io.tributary.mysql.protocol.Capabilities.has;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Capabilities;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import io.tributary.mysql.protocol.auth.Account;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's part of the login: greeting, TLS, {@link PasswordCheck}. Ends by putting {@link ServerTalk} in its place. */
final class ServerLogin extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLogin.class);

    /** What a client may choose from, beside TLS. */
    static final int OFFERED = Capabilities.LONG_PASSWORD
            | Capabilities.FOUND_ROWS
            | Capabilities.LONG_FLAG
            | Capabilities.CONNECT_WITH_DB
            | Capabilities.PROTOCOL_41
            | Capabilities.TRANSACTIONS
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.PLUGIN_AUTH_LENENC_DATA
            | Capabilities.CONNECT_ATTRS;

    private static final int PROTOCOL_10 = 10;
    private static final int UTF8MB4_0900_AI_CI = 255;
    private static final int FIRST_NONCE_PART = 8;

    private static final int MOST_PACKETS = 8;
    private static final int FORGET_SECONDS = 60;

    private final MysqlServer server;
    private final PacketSequence sequence;
    private final long threadId;
    private final InetAddress host;
    private final boolean full;
    private final byte[] nonce;
    private int offered = OFFERED;
    private int packets;
    private boolean checking;
    private boolean refused;
    private SslHandler tls;
    private ClientHello hello;
    private PasswordCheck check;
    private ScheduledFuture<?> expiry;

    ServerLogin(MysqlServer server, PacketSequence sequence, long threadId, InetAddress host, boolean full) {
        this.server = server;
        this.sequence = sequence;
        this.threadId = threadId;
        this.host = host;
        this.full = full;
        this.nonce = server.secrets().nonce();
        if (server.settings().tls().isPresent()) {
            offered |= Capabilities.SSL;
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (full) {
            refuse(ctx, 1040, "08004", "Too many connections");
            return;
        }
        expiry = ctx.executor()
                .schedule(
                        () -> {
                            LOG.debug("{} did not log in in time", ctx.channel().remoteAddress());
                            Outbound.close(ctx.channel());
                        },
                        server.settings().limits().loginTimeout().toMillis(),
                        TimeUnit.MILLISECONDS);
        send(ctx, this::greeting);
    }

    private void greeting(ByteBuf out) {
        out.writeByte(PROTOCOL_10);
        LengthEncoding.writeZeroEnded(out, server.settings().version());
        out.writeIntLE((int) threadId);
        out.writeBytes(nonce, 0, FIRST_NONCE_PART).writeByte(0);
        out.writeShortLE(offered);
        out.writeByte(UTF8MB4_0900_AI_CI);
        out.writeShortLE(OkPacket.STATUS_AUTOCOMMIT);
        out.writeShortLE(offered >>> 16);
        out.writeByte(nonce.length + 1);
        out.writeZero(10);
        out.writeBytes(nonce, FIRST_NONCE_PART, nonce.length - FIRST_NONCE_PART).writeByte(0);
        LengthEncoding.writeZeroEnded(out, PasswordCheck.GREETED.pluginName());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf packet) {
        if (refused) {
            return;
        }
        if (checking || ++packets > MOST_PACKETS) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected at most " + MOST_PACKETS + " packets, each after an answer");
        }
        if (check != null) {
            byte[] answer = ByteBufUtil.getBytes(packet);
            checking(ctx, () -> check.answered(answer));
        } else if (isTlsRequest(packet)) {
            startTls(ctx, server.settings().tls().orElseThrow().context());
        } else {
            hello = ClientHello.read(packet, offered);
            if (tls == null && server.settings().limits().tlsRequired()) {
                refuse(
                        ctx,
                        3159,
                        "HY000",
                        "Connections using insecure transport are prohibited while --require_secure_transport=ON.");
                return;
            }
            Optional<X509Certificate> shown = clientCertificate();
            checking(ctx, () -> begin(shown));
        }
    }

    /** On the thread of logins. */
    private PasswordCheck.Step begin(Optional<X509Certificate> shown) {
        Optional<Account> account =
                server.settings().users().find(hello.user()).filter(found -> found.admits(host, shown));
        check = new PasswordCheck(account, server.secrets(), nonce, tls != null);
        return check.begin(hello.pluginName(), hello.proof());
    }

    /** Has a step done by the thread of logins; the connection goes on with its outcome, and says nothing meanwhile. */
    @SuppressWarnings("FutureReturnValueIgnored") // the listener takes success and failure
    private void checking(ChannelHandlerContext ctx, Supplier<PasswordCheck.Step> step) {
        checking = true;
        server.logins()
                .next()
                .submit(step::get)
                .addListener((Future<PasswordCheck.Step> done) -> ctx.executor().execute(() -> {
                    checking = false;
                    if (refused || !ctx.channel().isActive()) {
                        return;
                    }
                    if (done.isSuccess()) {
                        proceed(ctx, done.getNow());
                    } else {
                        exceptionCaught(ctx, done.cause());
                    }
                }));
    }

    /** Verified in the handshake; empty where the client has none, or none is asked for. */
    private Optional<X509Certificate> clientCertificate() {
        try {
            return tls != null
                            && tls.engine().getSession().getPeerCertificates()[0] instanceof X509Certificate certificate
                    ? Optional.of(certificate)
                    : Optional.empty();
        } catch (SSLPeerUnverifiedException none) {
            return Optional.empty();
        }
    }

    private boolean isTlsRequest(ByteBuf packet) {
        return packet.readableBytes() == ClientHello.FIXED_LENGTH
                && tls == null
                && has(ClientHello.capabilities(packet) & offered, Capabilities.SSL);
    }

    /** What the client has sent behind its request is TLS already and goes to the TLS handler. */
    private void startTls(ChannelHandlerContext ctx, SslContext context) {
        tls = context.newHandler(ctx.alloc());
        PacketDecoder fresh = new PacketDecoder(server.settings().limits().loginBytes(), sequence);
        ctx.pipeline().addAfter(MysqlServer.PACKETS, "decrypted", fresh);
        ctx.pipeline().replace(MysqlServer.PACKETS, "tls", tls);
    }

    private void proceed(ChannelHandlerContext ctx, PasswordCheck.Step step) {
        if (step.reply().length > 0) {
            send(ctx, out -> out.writeBytes(step.reply()));
        }
        if (step.outcome() == PasswordCheck.Outcome.ACCEPTED) {
            welcome(ctx);
        } else if (step.outcome() == PasswordCheck.Outcome.REFUSED) {
            denied(ctx);
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // what is scheduled here cannot fail
    private void denied(ChannelHandlerContext ctx) {
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
                .schedule(() -> refuse(ctx, 1045, "28000", message), gate.delayMillis(host), TimeUnit.MILLISECONDS);
    }

    private void welcome(ChannelHandlerContext ctx) {
        expiry.cancel(false);
        Session session = new Session(server, ctx.channel(), sequence, hello, check.account(), threadId);
        if (!server.loggedIn(ctx.channel(), session)) {
            refuse(
                    ctx,
                    1226,
                    "42000",
                    "User '" + session.user() + "' has exceeded the 'max_user_connections' resource (current value: "
                            + session.account().grant().connections() + ")");
            return;
        }
        ctx.pipeline()
                .get(PacketDecoder.class)
                .commands(server.settings().limits().commandBytes());
        ctx.pipeline().replace(this, MysqlServer.TALK, new ServerTalk(server, session, sequence));
        server.handler().connected(session);
        OkPacket ok = new OkPacket(0, 0, OkPacket.STATUS_AUTOCOMMIT, 0);
        send(ctx, out -> ok.write(out, OkPacket.HEADER));
    }

    private void send(ChannelHandlerContext ctx, Consumer<ByteBuf> payload) {
        Outbound.send(ctx.channel(), packet(ctx, payload));
    }

    private ByteBuf packet(ChannelHandlerContext ctx, Consumer<ByteBuf> payload) {
        ByteBuf out = ctx.alloc().buffer();
        int at = Packets.begin(out);
        payload.accept(out);
        Packets.end(out, at, sequence);
        return out;
    }

    private void refuse(ChannelHandlerContext ctx, int code, String state, String message) {
        if (refused) {
            return;
        }
        refused = true;
        ByteBuf out = packet(ctx, new ErrPacket(code, state, message)::write);
        Outbound.sendLast(ctx.channel(), out);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (expiry != null) {
            expiry.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        LOG.debug("login from {} failed: {}", ctx.channel().remoteAddress(), cause.getMessage());
        refuse(ctx, 1043, "08S01", "Bad handshake");
    }
}
