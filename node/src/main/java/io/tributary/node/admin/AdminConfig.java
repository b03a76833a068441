package io.tributary.node.admin;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import java.time.Duration;
import java.util.List;

/**
 * The keys of the admin endpoint.
 *
 * @param listen where it listens
 * @param hosts names that requests may be sent to
 * @param connections at most so many at once
 * @param timeout for a request to arrive and for an answer to be taken
 * @param access who may use it
 */
public record AdminConfig(
        @Key(
                value = "admin.listen",
                byDefault = "127.0.0.1:9107",
                about = "Address of the HTTP endpoint for /metrics, /status, /xa and /health; port 0 = any free port.")
        HostPort listen,

        @Key(
                value = "admin.hosts",
                about =
                        "Names, comma-separated, that the Host header of a request may have, beside IP addresses, localhost, the host of admin.listen and"
                                + " this machine's own name. Requests to other names are refused, since a web page may have sent them (DNS rebinding).")
        List<String> hosts,

        @Key(
                value = "admin.connections",
                byDefault = "64",
                min = "1",
                max = "10000",
                about = "Most connections to the admin endpoint at once; further ones are closed.")
        int connections,

        @Key(
                value = "admin.timeout",
                byDefault = "10s",
                min = "100ms",
                max = "1h",
                about =
                        "A connection to the admin endpoint is closed when it sends no whole request for so long, or does not read its answer.")
        Duration timeout,

        AdminAccess access) {}
