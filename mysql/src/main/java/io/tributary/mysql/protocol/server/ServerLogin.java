package io.tributary.mysql.protocol.server;

import static io.tributary.mysql.protocol.Capabilities.has;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.mysql.protocol.Capabilities;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import io.tributary.mysql.protocol.auth.AuthMethod;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's part of the login: greeting, TLS, {@link PasswordCheck}. Ends by putting {@link ServerTalk} in its place. */
final class ServerLogin extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLogin.class);

    private static final int OFFERED = Capabilities.LONG_PASSWORD
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

    private final MysqlServer server;
    private final PacketSequence sequence;
    private final long threadId;
    private final boolean full;
    private final byte[] nonce;
    private int offered = OFFERED;
    private boolean encrypted;
    private ClientHello hello;
    private PasswordCheck check;
    private ScheduledFuture<?> expiry;

    ServerLogin(MysqlServer server, PacketSequence sequence, long threadId, boolean full) {
        this.server = server;
        this.sequence = sequence;
        this.threadId = threadId;
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
                        server.settings().loginTimeout().toMillis(),
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
        LengthEncoding.writeZeroEnded(out, AuthMethod.CACHING_SHA2_PASSWORD.pluginName());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf packet) {
        if (check != null) {
            proceed(ctx, check.answered(ByteBufUtil.getBytes(packet)));
        } else if (isTlsRequest(packet)) {
            startTls(ctx, server.settings().tls().orElseThrow());
        } else {
            hello = ClientHello.read(packet, offered);
            check = new PasswordCheck(server.settings().users().find(hello.user()), server.secrets(), nonce, encrypted);
            proceed(ctx, check.begin(hello.pluginName(), hello.proof()));
        }
    }

    private boolean isTlsRequest(ByteBuf packet) {
        return packet.readableBytes() == ClientHello.FIXED_LENGTH
                && !encrypted
                && has(ClientHello.capabilities(packet) & offered, Capabilities.SSL);
    }

    /** What the client has sent behind its request is TLS already and goes to the TLS handler. */
    private void startTls(ChannelHandlerContext ctx, SslContext context) {
        encrypted = true;
        SslHandler tls = context.newHandler(ctx.alloc());
        PacketDecoder fresh = new PacketDecoder(server.settings().maxLoginBytes(), sequence);
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
            InetSocketAddress peer = (InetSocketAddress) ctx.channel().remoteAddress();
            String host = peer.getAddress().getHostAddress();
            LOG.info("login of '{}' from {} refused", hello.user(), host);
            String used = hello.proof().length == 0 ? "NO" : "YES";
            refuse(
                    ctx,
                    1045,
                    "28000",
                    "Access denied for user '" + hello.user() + "'@'" + host + "' (using password: " + used + ")");
        }
    }

    private void welcome(ChannelHandlerContext ctx) {
        expiry.cancel(false);
        Session session = new Session(server, ctx.channel(), sequence, hello, threadId);
        ctx.pipeline().get(PacketDecoder.class).commands(server.settings().maxCommandBytes());
        ctx.pipeline().replace(this, MysqlServer.TALK, new ServerTalk(server, session, sequence));
        server.loggedIn(session);
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
