package io.tributary.node.admin;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.time.Duration;
import java.util.List;

/**
 * The keys of the admin endpoint.
 *
 * @param listen the address at which it listens
 * @param hosts host names to which requests may be sent
 * @param connections maximum number of connections at the same time
 * @param timeout for a request to arrive and for an answer to be read
 * @param access the login, and TLS
 */
public record AdminConfig(
        @Key(
                value = "admin.listen",
                byDefault = "127.0.0.1:9107",
                about = "Address of the HTTP endpoint for /console/, /metrics, /status, /xa and /health; port 0 = any free port.")
        HostPort listen,

        @Key(
                value = "admin.hosts",
                about = "Host names that the Host header of a request may contain, separated by commas,"
                        + " in addition to IP addresses, localhost, the host of admin.listen and this"
                        + " machine's own name. Requests with other names are refused, because a web page"
                        + " may have sent them (DNS rebinding).")
        List<String> hosts,

        @Key(
                value = "admin.connections",
                byDefault = "64",
                min = "1",
                max = "10000",
                about = "Maximum number of connections to the admin endpoint; further ones are closed.")
        int connections,

        @Key(
                value = "admin.timeout",
                byDefault = "10s",
                min = "100ms",
                max = "1h",
                about = "A connection to the admin endpoint is closed if it sends no complete request"
                        + " for this long, or does not read its answer.")
        Duration timeout,

        AdminAccess access) {}
