package io.tributary.node.admin;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;

/**
 * The keys of the admin endpoint.
 *
 * @param listen where it listens
 */
public record AdminConfig(
        @Key(
                value = "admin.listen",
                byDefault = "127.0.0.1:9107",
                about = "Address of the HTTP endpoint for /metrics, /status, /xa and /health; port 0 = any free port.")
        HostPort listen) {}
