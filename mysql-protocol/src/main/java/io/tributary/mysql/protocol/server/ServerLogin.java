package io.tributary.mysql.protocol.server;

import static io.tributary.mysql.protocol.Capabilities.has;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import io.tributary.mysql.protocol.Capabilities;
import io.tributary.mysql.protocol.ErrPacket;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.MysqlError;
import io.tributary.mysql.protocol.OkPacket;
import io.tributary.mysql.protocol.Outbound;
import io.tributary.mysql.protocol.PacketDecoder;
import io.tributary.mysql.protocol.PacketSequence;
import io.tributary.mysql.protocol.Packets;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.compress.CompressedPackets;
import io.tributary.mysql.protocol.compress.Compression;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The server's part of the login: greeting, TLS, {@link PasswordExchange}. At its end {@link ServerChannel} replaces it. */
final class ServerLogin extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLogin.class);

    /** The capabilities that a client may choose, except TLS. */
    static final int OFFERED = Capabilities.LONG_PASSWORD
            | Capabilities.FOUND_ROWS
            | Capabilities.LONG_FLAG
            | Capabilities.CONNECT_WITH_DB
            | Capabilities.PROTOCOL_41
            | Capabilities.TRANSACTIONS
            | Capabilities.MULTI_STATEMENTS
            | Capabilities.MULTI_RESULTS
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
    private final InetAddress host;
    private final boolean full;
    private final byte[] nonce;
    private int offered = OFFERED;
    private boolean refused;
    private SslHandler tls;
    private ClientHello hello;
    private PasswordExchange exchange;
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
        if (server.compressed() < server.settings().compressed()) {
            offered |= Capabilities.COMPRESS | Capabilities.ZSTD_COMPRESSION;
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        if (full) {
            refuse(ctx, MysqlError.ER_CON_COUNT_ERROR, "Too many connections");
            return;
        }
        expiry = ctx.executor()
                .schedule(
                        () -> {
                            LOG.debug(
                                    "login timed out: client={}", ctx.channel().remoteAddress());
                            Outbound.close(ctx.channel());
                        },
                        server.settings().limits().logins().timeout().toMillis(),
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
        if (exchange != null) {
            exchange.answered(packet);
        } else if (isTlsRequest(packet)) {
            startTls(ctx, server.settings().tls().orElseThrow().context());
        } else {
            hello = ClientHello.read(packet, offered);
            if (tls == null && server.settings().limits().logins().tlsRequired()) {
                refuse(
                        ctx,
                        MysqlError.ER_SECURE_TRANSPORT_REQUIRED,
                        "Connections using insecure transport are prohibited while --require_secure_transport=ON.");
                return;
            }
            exchange = new PasswordExchange(server, ctx, host, new Answers(ctx));
            exchange.begin(hello, nonce);
        }
    }

    private boolean isTlsRequest(ByteBuf packet) {
        return packet.readableBytes() == ClientHello.FIXED_LENGTH
                && tls == null
                && has(ClientHello.capabilities(packet) & offered, Capabilities.SSL);
    }

    /** Bytes of the client after its request are TLS already and are passed to the TLS handler. */
    private void startTls(ChannelHandlerContext ctx, SslContext context) {
        tls = context.newHandler(ctx.alloc());
        PacketDecoder fresh =
                new PacketDecoder(server.settings().limits().logins().packetBytes(), sequence);
        ctx.pipeline().addAfter(MysqlServer.PACKETS, "decrypted", fresh);
        ctx.pipeline().replace(MysqlServer.PACKETS, "tls", tls);
    }

    /** Receives the results of the password exchange. */
    private final class Answers implements PasswordExchange.Listener {
        private final ChannelHandlerContext ctx;

        Answers(ChannelHandlerContext ctx) {
            this.ctx = ctx;
        }

        @Override
        public void reply(byte[] payload) {
            send(ctx, out -> out.writeBytes(payload));
        }

        @Override
        public void accepted(Account account) {
            welcome(ctx, account);
        }

        @Override
        public void refused(ErrPacket error) {
            refuse(ctx, error);
        }

        @Override
        public void failed(Throwable cause) {
            exceptionCaught(ctx, cause);
        }
    }

    private void welcome(ChannelHandlerContext ctx, Account account) {
        expiry.cancel(false);
        Session session = new Session(server, ctx.channel(), sequence, new Login(hello, account), threadId);
        Optional<ErrPacket> refusal = server.loggedIn(ctx.channel(), session);
        if (refusal.isPresent()) {
            refuse(ctx, refusal.get());
            return;
        }
        ServerChannel commands = new ServerChannel(server, session, sequence);
        ctx.pipeline().get(PacketDecoder.class).commands(commands);
        ctx.pipeline().replace(this, MysqlServer.COMMANDS, commands);
        server.handler().connected(session);
        OkPacket ok = new OkPacket(0, 0, OkPacket.STATUS_AUTOCOMMIT, 0);
        send(ctx, out -> ok.write(out, OkPacket.HEADER));
        Compression.of(hello.capabilities()).ifPresent(algorithm -> compress(ctx, session, algorithm));
    }

    /** From now on the packets of both sides are in compressed ones. */
    private void compress(ChannelHandlerContext ctx, Session session, Compression algorithm) {
        CompressedPackets compressed = new CompressedPackets(algorithm, hello.zstdLevel());
        String packets = ctx.channel().pipeline().context(PacketDecoder.class).name();
        ctx.channel().pipeline().addBefore(packets, "compressed", compressed);
        session.compressed(compressed);
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

    private void refuse(ChannelHandlerContext ctx, MysqlError error, String message) {
        refuse(ctx, error.packet(message));
    }

    private void refuse(ChannelHandlerContext ctx, ErrPacket error) {
        if (refused) {
            return;
        }
        refused = true;
        ByteBuf out = packet(ctx, error::write);
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
        LOG.debug("login failed: client={} error=\"{}\"", ctx.channel().remoteAddress(), cause.getMessage());
        refuse(ctx, MysqlError.ER_HANDSHAKE_ERROR, "Bad handshake");
    }
}
