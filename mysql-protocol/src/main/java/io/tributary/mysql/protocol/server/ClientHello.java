package io.tributary.mysql.protocol.server;

import static io.tributary.mysql.protocol.Capabilities.has;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.Capabilities;
import io.tributary.mysql.protocol.LengthEncoding;
import java.util.HashMap;
import java.util.Map;

/**
 * A client's answer to the greeting (manual page "Protocol::HandshakeResponse41").
 *
 * @param capabilities the capabilities of both sides
 * @param zstdLevel the level of zstd that the client wants; 3 if it names none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
record ClientHello(
        int capabilities,
        String user,
        byte[] proof,
        String database,
        String pluginName,
        Map<String, String> attributes,
        int zstdLevel) {
    /** Length of the part that is also sent alone, as the request to begin TLS. */
    static final int FIXED_LENGTH = 32;

    private static final int USUAL_LEVEL = 3;
    private static final int CHARACTER_SET = 2;
    private static final int MAX_USER_LENGTH = 128;
    private static final int NEEDED = Capabilities.PROTOCOL_41 | Capabilities.SECURE_CONNECTION;

    /** Whether the client accepts a switch of the method; such a client may name none itself. */
    boolean knowsPlugins() {
        return has(capabilities, Capabilities.PLUGIN_AUTH);
    }

    /** The capability flags at the beginning of the packet, not consumed. */
    static int capabilities(ByteBuf packet) {
        LengthEncoding.need(packet, FIXED_LENGTH);
        int flags = packet.getIntLE(packet.readerIndex());
        if (!has(flags, NEEDED)) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED,
                    "expected a client of MySQL 5.5 or later, found capabilities 0x" + Integer.toHexString(flags));
        }
        return flags;
    }

    static ClientHello read(ByteBuf in, int offered) {
        int flags = capabilities(in) & offered;
        in.skipBytes(FIXED_LENGTH);
        String user = user(LengthEncoding.readZeroEnded(in));
        byte[] proof = proof(in, flags);
        String database = has(flags, Capabilities.CONNECT_WITH_DB) ? LengthEncoding.readZeroEnded(in) : "";
        String plugin = has(flags, Capabilities.PLUGIN_AUTH) ? LengthEncoding.readZeroEnded(in) : "";
        Map<String, String> attributes =
                has(flags, Capabilities.CONNECT_ATTRS) && in.isReadable() ? attributes(in) : Map.of();
        boolean hasLevel = has(flags, Capabilities.ZSTD_COMPRESSION) && in.isReadable();
        int level = hasLevel ? in.readUnsignedByte() : USUAL_LEVEL;
        return new ClientHello(flags, user, proof, database, plugin, attributes, level);
    }

    /** Reads COM_CHANGE_USER of a client that has logged in with these capabilities (manual page "COM_CHANGE_USER"). */
    static ClientHello readChange(ByteBuf in, int flags) {
        String user = user(LengthEncoding.readZeroEnded(in));
        byte[] proof = proof(in, flags & ~Capabilities.PLUGIN_AUTH_LENENC_DATA);
        String database = LengthEncoding.readZeroEnded(in);
        if (in.isReadable()) {
            LengthEncoding.need(in, CHARACTER_SET);
            in.skipBytes(CHARACTER_SET);
        }
        String plugin = has(flags, Capabilities.PLUGIN_AUTH) && in.isReadable() ? LengthEncoding.readZeroEnded(in) : "";
        Map<String, String> attributes =
                has(flags, Capabilities.CONNECT_ATTRS) && in.isReadable() ? attributes(in) : Map.of();
        return new ClientHello(flags, user, proof, database, plugin, attributes, USUAL_LEVEL);
    }

    /** The name is used in messages and logs: no longer than any server allows, and no control characters. */
    private static String user(String name) {
        if (name.length() > MAX_USER_LENGTH || name.chars().anyMatch(Character::isISOControl)) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED,
                    "expected a user name of at most " + MAX_USER_LENGTH + " characters, found another");
        }
        return name;
    }

    private static byte[] proof(ByteBuf in, int flags) {
        if (has(flags, Capabilities.PLUGIN_AUTH_LENENC_DATA)) {
            return LengthEncoding.readBytes(in);
        }
        LengthEncoding.need(in, 1);
        int length = in.readUnsignedByte();
        LengthEncoding.need(in, length);
        return ByteBufUtil.getBytes(in.readSlice(length));
    }

    private static Map<String, String> attributes(ByteBuf in) {
        long length = LengthEncoding.readInteger(in);
        LengthEncoding.need(in, (int) Math.min(Integer.MAX_VALUE, length));
        ByteBuf all = in.readSlice((int) length);
        Map<String, String> attributes = new HashMap<>();
        while (all.isReadable()) {
            String key = LengthEncoding.readString(all);
            attributes.put(key, LengthEncoding.readString(all));
        }
        return Map.copyOf(attributes);
    }
}
