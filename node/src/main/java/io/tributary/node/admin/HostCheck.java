package io.tributary.node.admin;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collection;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * The check of the Host header of a request. A web page can make a browser send requests to this machine under a name of the page's own domain
 * whose address it changes (DNS rebinding), but not under an IP address or a name of another domain.
 */
final class HostCheck {
    private final Set<String> names = new HashSet<>();

    /** @param names accepted in addition to IP addresses, localhost and this machine's own name */
    HostCheck(Collection<String> names) {
        names.forEach(this::add);
        add("localhost");
        try {
            add(InetAddress.getLocalHost().getHostName());
            add(InetAddress.getLocalHost().getCanonicalHostName());
        } catch (UnknownHostException e) { // this machine has no name that a client could use
            add("localhost");
        }
    }

    private void add(String name) {
        names.add(name.toLowerCase(Locale.ROOT));
    }

    /** @param header as it was sent, with or without a port; null if it was not sent, which no browser does */
    boolean accepts(String header) {
        if (header == null) {
            return true;
        }
        String host = withoutPort(header.strip()).toLowerCase(Locale.ROOT);
        return names.contains(host) || NetUtil.isValidIpV4Address(host) || NetUtil.isValidIpV6Address(host);
    }

    private static String withoutPort(String header) {
        if (header.startsWith("[")) {
            int end = header.indexOf(']');
            return end < 0 ? header : header.substring(1, end);
        }
        int colon = header.lastIndexOf(':');
        return colon < 0 ? header : header.substring(0, colon);
    }
}
