package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBuf;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.LengthEncoding;
import io.tributary.mysql.protocol.auth.AuthMethod;

/** A server's first packet (manual page "Protocol::HandshakeV10"). */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record ServerGreeting(String version, long threadId, int capabilities, byte[] nonce, String pluginName) {
    private static final int PROTOCOL_10 = 10;
    private static final int FIRST_NONCE_PART = 8;

    static ServerGreeting read(ByteBuf in) {
        LengthEncoding.need(in, 1);
        int protocol = in.readUnsignedByte();
        if (protocol != PROTOCOL_10) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected a greeting of protocol 10, found protocol " + protocol);
        }
        String version = LengthEncoding.readZeroEnded(in);
        LengthEncoding.need(in, 4 + FIRST_NONCE_PART + 1 + 2 + 1 + 2 + 2 + 1 + 10);
        long threadId = in.readUnsignedIntLE();
        byte[] nonce = new byte[AuthMethod.NONCE_LENGTH];
        in.readBytes(nonce, 0, FIRST_NONCE_PART);
        in.skipBytes(1);
        int capabilities = in.readUnsignedShortLE();
        in.skipBytes(3);
        capabilities |= in.readUnsignedShortLE() << 16;
        in.skipBytes(11);
        LengthEncoding.need(in, AuthMethod.NONCE_LENGTH - FIRST_NONCE_PART);
        in.readBytes(nonce, FIRST_NONCE_PART, AuthMethod.NONCE_LENGTH - FIRST_NONCE_PART);
        if (in.isReadable()) {
            in.skipBytes(1);
        }
        String plugin = LengthEncoding.readZeroEnded(in);
        return new ServerGreeting(version, threadId, capabilities, nonce, plugin);
    }
}
