package io.tributary.node.command.setup;

import io.tributary.common.config.HostPort;

/**
 * A shard of a new configuration.
 *
 * @param name letters, digits, - and _
 */
record ShardAddress(String name, HostPort address) {
    private static final String NAME = "[A-Za-z0-9_-]{1,64}";
    private static final int MYSQL_PORT = 3306;

    /**
     * Reads {@code NAME=HOST:PORT}; without NAME it is s and the number, without PORT the port is 3306.
     *
     * @param number of the shard, from 1
     * @throws IllegalArgumentException with what was expected
     */
    static ShardAddress parse(String text, int number) {
        int sign = text.indexOf('=');
        String name = sign < 0 ? "s" + number : text.substring(0, sign).strip();
        String place = text.substring(sign + 1).strip();
        boolean isIpv6 = place.startsWith("[") && place.endsWith("]");
        boolean hasPort = place.indexOf(':') >= 0 && !isIpv6;
        if (!name.matches(NAME) || place.isEmpty() || !place.matches("[A-Za-z0-9._:\\[\\]-]+")) {
            throw new IllegalArgumentException("expected NAME=HOST:PORT, HOST:PORT or HOST, found '" + text + "'");
        }
        HostPort address = HostPort.parse(hasPort ? place : place + ":" + MYSQL_PORT);
        if (address.port() == 0) {
            throw new IllegalArgumentException("expected the port of a server, found 0 in '" + text + "'");
        }
        return new ShardAddress(name, address);
    }
}
