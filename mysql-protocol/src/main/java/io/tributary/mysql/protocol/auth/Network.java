package io.tributary.mysql.protocol.auth;

import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * A range of IP addresses in CIDR notation: {@code 10.0.0.0/8}, {@code ::1/128}, or a single address. An IPv4 address that is
 * written as an IPv6 address ({@code ::ffff:10.0.0.1}) is the IPv4 address.
 */
public final class Network {
    private final String text;
    private final IpSubnetFilterRule rule;

    private Network(String text, IpSubnetFilterRule rule) {
        this.text = text;
        this.rule = rule;
    }

    /** @throws IllegalArgumentException with what was expected; names are not resolved */
    public static Network parse(String text) {
        int slash = text.indexOf('/');
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(slash < 0 ? text : text.substring(0, slash));
        if (bytes == null) {
            throw wrong(text, null);
        }
        try {
            InetAddress first = InetAddress.getByAddress(bytes); // Java maps an IPv4 address that is written as IPv6
            int mappedBits = (bytes.length - first.getAddress().length) * 8;
            int prefix = slash < 0 ? bytes.length * 8 : prefix(text.substring(slash + 1));
            return new Network(text, new IpSubnetFilterRule(first, prefix - mappedBits, IpFilterRuleType.ACCEPT));
        } catch (UnknownHostException | IllegalArgumentException e) {
            throw wrong(text, e);
        }
    }

    private static int prefix(String text) {
        if (text.startsWith("+") || text.startsWith("-")) {
            throw new NumberFormatException("expected digits, found " + text);
        }
        return Integer.parseInt(text);
    }

    private static IllegalArgumentException wrong(String text, Exception cause) {
        return new IllegalArgumentException(
                "expected a network such as 10.0.0.0/8, 192.168.1.7 or fd00::/8, found '" + text + "'", cause);
    }

    /** Whether an address is in the range. */
    public boolean contains(InetAddress address) {
        return rule.matches(new InetSocketAddress(address, 0));
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
