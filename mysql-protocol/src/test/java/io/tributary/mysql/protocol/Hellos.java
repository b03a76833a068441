package io.tributary.mysql.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Clients' answers to a greeting, as bytes with the packet's header. */
final class Hellos {
    private Hellos() {}

    static byte[] of(String user, byte[] proof, String plugin) {
        ByteBuf out = Unpooled.buffer();
        out.writeZero(3).writeByte(1);
        out.writeIntLE(Capabilities.PROTOCOL_41
                        | Capabilities.SECURE_CONNECTION
                        | Capabilities.PLUGIN_AUTH
                        | Capabilities.PLUGIN_AUTH_LENENC_DATA)
                .writeIntLE(1 << 24)
                .writeByte(45)
                .writeZero(23);
        LengthEncoding.writeZeroEnded(out, user);
        LengthEncoding.writeBytes(out, proof);
        LengthEncoding.writeZeroEnded(out, plugin);
        out.setMediumLE(0, out.readableBytes() - 4);
        return ByteBufUtil.getBytes(out);
    }
}
