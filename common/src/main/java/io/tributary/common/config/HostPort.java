package io.tributary.common.config;

import java.net.InetSocketAddress;

/**
 * A network address, written {@code host:port}, an IPv6 host in brackets.
 *
 * @param port 0..65535; 0 means any free port
 */
public record HostPort(String host, int port) {
    public HostPort {
        if (host.isEmpty() || port < 0 || port > 65535) {
            throw new IllegalArgumentException("expected host:port, found '" + host + ":" + port + "'");
        }
    }

    /** @throws IllegalArgumentException if the text is not host:port */
    public static HostPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("expected host:port, found '" + text + "'");
        }
        String host = text.substring(0, colon);
        boolean isBracketed = host.startsWith("[") && host.endsWith("]");
        return new HostPort(
                isBracketed ? host.substring(1, host.length() - 1) : host, Integer.parseInt(text.substring(colon + 1)));
    }

    /** Resolves the host name. */
    public InetSocketAddress resolve() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + port;
    }
}
