package io.tributary.mysql.protocol.server;

import io.netty.buffer.ByteBuf;
import io.tributary.mysql.protocol.LengthEncoding;
import java.nio.charset.StandardCharsets;

/**
 * COM_REGISTER_SLAVE (manual page "COM_REGISTER_SLAVE"). A password in it is not stored.
 *
 * @param serverId 0 to 2^32-1
 * @param host the host that the replica reports; often empty
 * @param port the port that the replica reports; often 0
 */
public record ReplicaRegistration(long serverId, String host, String user, int port) {
    static ReplicaRegistration read(ByteBuf in) {
        LengthEncoding.need(in, 4);
        long serverId = in.readUnsignedIntLE();
        String host = shortString(in);
        String user = shortString(in);
        shortString(in); // the password, in plaintext
        LengthEncoding.need(in, 2);
        return new ReplicaRegistration(serverId, host, user, in.readUnsignedShortLE());
    }

    private static String shortString(ByteBuf in) {
        LengthEncoding.need(in, 1);
        int length = in.readUnsignedByte();
        LengthEncoding.need(in, length);
        return in.readCharSequence(length, StandardCharsets.UTF_8).toString();
    }
}
