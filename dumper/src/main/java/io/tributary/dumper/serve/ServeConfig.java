package io.tributary.dumper.serve;

import io.tributary.common.config.HostPort;
import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** How readers reach the binlog, and who they are. */
public record ServeConfig(
        @Key(
                value = "serve.listen",
                byDefault = "127.0.0.1:3307",
                about = "Address and port on which readers connect by the MySQL protocol.")
        HostPort listen,

        @Key(
                value = "serve.user",
                byDefault = "tributary",
                about = "Name of the user whose password is serve.password; it has all rights.")
        String user,

        @Key(
                value = "serve.password",
                secret = true,
                about = "Password of serve.user; none: only the users of `tributary user` log in.")
        Optional<Secret> password,

        @Key(
                value = "serve.directory",
                about = "Folder of the users file and of the certificate that the node makes for itself; none: serve in"
                        + " binlog.directory.")
        Optional<Path> directory,

        @Key(
                value = "serve.native-password",
                byDefault = "false",
                about = "Whether serve.user, and users whose passwords are set from now on, may log in by"
                        + " mysql_native_password too.")
        boolean nativePassword,

        @Key(
                value = "serve.logins",
                byDefault = "256",
                min = "2",
                max = "65535",
                about =
                        "Connections at most that have not logged in, half of them from one host; a further one is refused"
                                + " with error 1040.")
        int logins,

        @Key(
                value = "serve.login-timeout",
                byDefault = "10s",
                min = "100ms",
                max = "5min",
                about = "Time from the connection to the end of its login.")
        Duration loginTimeout,

        ServeLimits limits,

        ServeTlsConfig tls) {

    /** Where the users file and the node's own certificate are. */
    public Path folder(Path binlogDirectory) {
        return directory.orElseGet(() -> binlogDirectory.resolve("serve"));
    }
}
