package io.tributary.dumper.serve;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;

/** How readers reach the binlog. */
public record ServeConfig(
        @Key(
                value = "serve.listen",
                byDefault = "127.0.0.1:3307",
                about = "Address and port on which readers connect by the MySQL protocol.")
        HostPort listen,

        @Key(value = "serve.user", byDefault = "tributary", about = "User name with which readers log in.")
        String user,

        @Key(value = "serve.password", required = true, secret = true, about = "Password with which readers log in.")
        Secret password,

        @Key(
                value = "serve.connections",
                byDefault = "1024",
                min = "1",
                max = "65535",
                about = "Connections at most; a further one is refused with error 1040.")
        int connections) {}
