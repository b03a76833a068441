package io.tributary.serve;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The configuration keys for the readers' connections and users. */
public record ServeConfig(
        @Key(
                value = "serve.listen",
                byDefault = "127.0.0.1:3307",
                about = "Address and port on which readers connect with the MySQL protocol.")
        HostPort listen,

        @Key(
                value = "serve.user",
                byDefault = "tributary",
                about = "Name of the user whose password is serve.password; this user has all rights.")
        String user,

        @Key(
                value = "serve.password",
                secret = true,
                about = "Password of serve.user; not set: only the users of `tributary user` can log in.")
        Optional<Secret> password,

        @Key(
                value = "serve.directory",
                about = "Folder of the users file and of the self-signed certificate that the node"
                        + " creates; not set: the folder serve in binlog.directory.")
        Optional<Path> directory,

        @Key(
                value = "serve.native-password",
                byDefault = "false",
                about = "Whether serve.user, and users whose passwords are set while this is true, may"
                        + " also log in with mysql_native_password.")
        boolean nativePassword,

        @Key(
                value = "serve.compressed-connections",
                byDefault = "128",
                min = "0",
                max = "65535",
                about = "Maximum number of sessions whose readers asked to compress the connection (zlib, zstd),"
                        + " each of which needs about 1 MiB of memory outside the heap; while there are as many, compression is not"
                        + " offered. 0: never.")
        int compressed,

        @Key(
                value = "serve.logins",
                byDefault = "256",
                min = "2",
                max = "65535",
                about = "Maximum number of connections that have not logged in yet, at most half of them"
                        + " from one host; a further one is refused with error 1040.")
        int logins,

        @Key(
                value = "serve.login-timeout",
                byDefault = "10s",
                min = "100ms",
                max = "5min",
                about = "Maximum time from the start of a connection to the end of its login.")
        Duration loginTimeout,

        ServeLimits limits,

        ServeTlsConfig tls) {

    /** The folder of the users file and of the node's own certificate. */
    public Path folder(Path binlogDirectory) {
        return directory.orElseGet(() -> binlogDirectory.resolve("serve"));
    }
}
