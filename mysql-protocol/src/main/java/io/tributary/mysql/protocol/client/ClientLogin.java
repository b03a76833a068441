package io.tributary.mysql.protocol.client;

import static io.tributary.mysql.protocol.Capabilities.has;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandler;
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
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.PasswordCipher;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * The client's part of the login: greeting, TLS, handshake response, auth switch, proofs or the password itself. At its end
 * {@link ClientChannel} replaces it.
 */
final class ClientLogin extends SimpleChannelInboundHandler<ByteBuf> {
    private static final int WANTED = Capabilities.LONG_PASSWORD
            | Capabilities.LONG_FLAG
            | Capabilities.PROTOCOL_41
            | Capabilities.TRANSACTIONS
            | Capabilities.SECURE_CONNECTION
            | Capabilities.PLUGIN_AUTH
            | Capabilities.PLUGIN_AUTH_LENENC_DATA
            | Capabilities.CONNECT_ATTRS
            | Capabilities.FOUND_ROWS
            | Capabilities.DEPRECATE_EOF;
    private static final int NEEDED = Capabilities.PROTOCOL_41 | Capabilities.SECURE_CONNECTION;
    private static final int MAX_PACKET = 1 << 30;
    private static final int UTF8MB4_GENERAL_CI = 45;
    private static final Map<String, String> ATTRIBUTES =
            Map.of("_client_name", "tributary", "program_name", "tributary");

    private static final int AUTH_SWITCH = 0xfe;
    private static final int MORE = 0x01;
    private static final int ASK_PUBLIC_KEY = 0x02;
    private static final int PROOF_ACCEPTED = 0x03;
    private static final int PASSWORD_WANTED = 0x04;

    private final Endpoint endpoint;
    private final PacketSequence sequence;
    private final CompletableFuture<MysqlConnection> connected;
    private ServerGreeting greeting;
    private AuthMethod method;
    private byte[] nonce;
    private int capabilities;
    private boolean encrypted;
    private boolean awaitsPublicKey;

    ClientLogin(Endpoint endpoint, PacketSequence sequence, CompletableFuture<MysqlConnection> connected) {
        this.endpoint = endpoint;
        this.sequence = sequence;
        this.connected = connected;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext ctx, ByteBuf packet) {
        LengthEncoding.need(packet, 1);
        int header = packet.getUnsignedByte(packet.readerIndex());
        if (header == ErrPacket.HEADER) {
            connected.completeExceptionally(new MysqlServerError(endpoint.toString(), ErrPacket.read(packet)));
            Outbound.close(ctx.channel());
        } else if (greeting == null) {
            greeted(ctx, ServerGreeting.read(packet));
        } else if (header == OkPacket.HEADER) {
            loggedIn(ctx);
        } else if (header == AUTH_SWITCH) {
            switchMethod(ctx, packet);
        } else if (header == MORE) {
            packet.skipBytes(1);
            more(ctx, packet);
        } else {
            throw violated("an answer to the login", "a packet of type 0x" + Integer.toHexString(header));
        }
    }

    private void greeted(ChannelHandlerContext ctx, ServerGreeting received) {
        greeting = received;
        if (!has(received.capabilities(), NEEDED)) {
            throw violated("a server of MySQL 5.7 or later", "version " + received.version());
        }
        capabilities = WANTED & received.capabilities();
        nonce = received.nonce();
        method = AuthMethod.ofPlugin(received.pluginName()).orElse(AuthMethod.CACHING_SHA2_PASSWORD);
        boolean offered = has(received.capabilities(), Capabilities.SSL);
        if (endpoint.tls().mode() == TlsMode.DISABLED || (endpoint.tls().mode() == TlsMode.PREFERRED && !offered)) {
            respond(ctx);
            return;
        }
        if (!offered) {
            throw new TributaryException(
                    ErrorCode.SHARD_UNREACHABLE,
                    endpoint + ": expected a server that offers TLS (tls is "
                            + endpoint.tls().mode() + "), found one without");
        }
        capabilities |= Capabilities.SSL;
        startTls(ctx);
    }

    private void startTls(ChannelHandlerContext ctx) {
        ByteBuf request = ctx.alloc().buffer();
        int at = Packets.begin(request);
        fixedPart(request);
        Packets.end(request, at, sequence);
        Outbound.send(ctx.channel(), request);
        SslHandler tls = endpoint.tls().handler(endpoint, ctx.alloc());
        // plaintext bytes received after the greeting must not count: the TLS handler receives and rejects them
        ctx.pipeline().addAfter(MysqlClient.PACKETS, "decrypted", new PacketDecoder(MysqlClient.MAX_PAYLOAD, sequence));
        ctx.pipeline().replace(MysqlClient.PACKETS, "tls", tls);
        tls.handshakeFuture().addListener(done -> {
            if (done.isSuccess()) {
                encrypted = true;
                respond(ctx);
            } else {
                connected.completeExceptionally(new TributaryException(
                        ErrorCode.SHARD_UNREACHABLE,
                        endpoint + ": TLS failed: " + done.cause().getMessage(),
                        done.cause()));
                Outbound.close(ctx.channel());
            }
        });
    }

    private void fixedPart(ByteBuf out) {
        out.writeIntLE(capabilities)
                .writeIntLE(MAX_PACKET)
                .writeByte(UTF8MB4_GENERAL_CI)
                .writeZero(23);
    }

    private void respond(ChannelHandlerContext ctx) {
        byte[] proof = method.proof(endpoint.credentials().password(), nonce);
        ByteBuf out = ctx.alloc().buffer();
        int at = Packets.begin(out);
        fixedPart(out);
        LengthEncoding.writeZeroEnded(out, endpoint.credentials().user());
        out.writeByte(proof.length).writeBytes(proof);
        if (has(capabilities, Capabilities.PLUGIN_AUTH)) {
            LengthEncoding.writeZeroEnded(out, method.pluginName());
        }
        if (has(capabilities, Capabilities.CONNECT_ATTRS)) {
            ByteBuf attributes = ctx.alloc().buffer();
            ATTRIBUTES.forEach((key, value) -> {
                LengthEncoding.writeString(attributes, key);
                LengthEncoding.writeString(attributes, value);
            });
            LengthEncoding.writeInteger(out, attributes.readableBytes());
            out.writeBytes(attributes);
            attributes.release();
        }
        Packets.end(out, at, sequence);
        Outbound.send(ctx.channel(), out);
    }

    private void switchMethod(ChannelHandlerContext ctx, ByteBuf packet) {
        packet.skipBytes(1);
        String plugin = LengthEncoding.readZeroEnded(packet);
        method = AuthMethod.ofPlugin(plugin)
                .orElseThrow(() -> new TributaryException(
                        ErrorCode.SHARD_LOGIN_REFUSED,
                        endpoint + ": expected an account with caching_sha2_password or mysql_native_password,"
                                + " found one with " + plugin));
        LengthEncoding.need(packet, AuthMethod.NONCE_LENGTH);
        nonce = new byte[AuthMethod.NONCE_LENGTH];
        packet.readBytes(nonce);
        send(ctx, method.proof(endpoint.credentials().password(), nonce));
    }

    private void more(ChannelHandlerContext ctx, ByteBuf packet) {
        if (awaitsPublicKey) {
            awaitsPublicKey = false;
            send(
                    ctx,
                    PasswordCipher.encrypt(endpoint.credentials().password(), nonce, LengthEncoding.readRest(packet)));
            return;
        }
        LengthEncoding.need(packet, 1);
        int step = packet.readUnsignedByte();
        if (step == PASSWORD_WANTED && encrypted) {
            send(ctx, (endpoint.credentials().password() + '\0').getBytes(StandardCharsets.UTF_8));
        } else if (step == PASSWORD_WANTED) {
            awaitsPublicKey = true;
            send(ctx, new byte[] {ASK_PUBLIC_KEY});
        } else if (step != PROOF_ACCEPTED) {
            throw violated("a step of caching_sha2_password", "0x" + Integer.toHexString(step));
        }
    }

    private void send(ChannelHandlerContext ctx, byte[] payload) {
        ByteBuf out = ctx.alloc().buffer();
        int at = Packets.begin(out);
        out.writeBytes(payload);
        Packets.end(out, at, sequence);
        Outbound.send(ctx.channel(), out);
    }

    private void loggedIn(ChannelHandlerContext ctx) {
        ClientChannel commands =
                new ClientChannel(ctx.channel(), endpoint, sequence, has(capabilities, Capabilities.DEPRECATE_EOF));
        ctx.pipeline().replace(this, MysqlClient.COMMANDS, commands);
        MysqlConnection connection = new MysqlConnection(ctx.channel(), commands, endpoint, greeting, encrypted);
        if (!connected.complete(connection)) {
            connection.close();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        connected.completeExceptionally(new TributaryException(
                ErrorCode.SHARD_UNREACHABLE, "lost the connection to " + endpoint + " during the login"));
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        Throwable real = cause.getCause() instanceof TributaryException ours ? ours : cause;
        connected.completeExceptionally(
                real instanceof TributaryException ? real : MysqlClient.unreachable(endpoint, real));
        Outbound.close(ctx.channel());
    }

    private TributaryException violated(String expected, String found) {
        return new TributaryException(
                ErrorCode.PROTOCOL_VIOLATED, endpoint + ": expected " + expected + ", found " + found);
    }
}
