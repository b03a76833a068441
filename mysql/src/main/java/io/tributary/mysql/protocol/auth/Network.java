package io.tributary.mysql.protocol.auth;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.util.Arrays;

/**
 * A range of IP addresses in CIDR notation: {@code 10.0.0.0/8}, {@code ::1/128}, or a single address. An IPv4 address that is
 * written as an IPv6 address ({@code ::ffff:10.0.0.1}) is the IPv4 address.
 */
public final class Network {
    private static final int MAPPED_PREFIX = 96;

    private final String text;
    private final byte[] first;
    private final int prefix;

    private Network(String text, byte[] first, int prefix) {
        this.text = text;
        this.first = first;
        this.prefix = prefix;
    }

    /** @throws IllegalArgumentException with what was expected; names are not resolved */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (bytes == null) {
            throw wrong(text);
        }
        int prefix = slash < 0 ? bytes.length * 8 : prefix(text, slash, bytes.length * 8);
        byte[] plain = unmapped(bytes);
        if (plain.length < bytes.length) {
            if (prefix < MAPPED_PREFIX) {
                throw wrong(text);
            }
            prefix -= MAPPED_PREFIX;
        }
        return new Network(text, plain, prefix);
    }

    private static int prefix(String text, int slash, int bits) {
        try {
            int prefix = Integer.parseInt(text.substring(slash + 1));
            if (prefix >= 0 && prefix <= bits && Character.isDigit(text.charAt(slash + 1))) {
                return prefix;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(wrong(text).getMessage(), e);
        }
        throw wrong(text);
    }

    private static byte[] unmapped(byte[] bytes) {
        for (int i = 0; i < Math.min(bytes.length, 12); i++) {
            if (bytes.length != 16 || bytes[i] != (byte) (i < 10 ? 0 : 0xff)) {
                return bytes;
            }
        }
        return Arrays.copyOfRange(bytes, 12, 16);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "expected a network such as 10.0.0.0/8, 192.168.1.7 or fd00::/8, found '" + text + "'");
    }

    /** Whether an address is in the range. */
    public boolean contains(InetAddress address) {
        byte[] bytes = unmapped(address.getAddress());
        if (bytes.length != first.length) {
            return false;
        }
        for (int bit = 0; bit < prefix; bit += 8) {
            int mask = prefix - bit >= 8 ? 0xff : 0xff << (8 - (prefix - bit));
            if (((bytes[bit >> 3] ^ first[bit >> 3]) & mask & 0xff) != 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Network network && network.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The text that was parsed. */
    @Override
    public String toString() {
        return text;
    }
}
