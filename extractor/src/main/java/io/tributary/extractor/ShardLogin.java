package io.tributary.extractor;

import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.mysql.protocol.client.ClientTls;
import io.tributary.mysql.protocol.client.Credentials;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.mysql.protocol.client.TlsMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The configuration keys of the account on the servers of one shard, and of the connections to them.
 *
 * @param tls like MySQL's {@code --ssl-mode}
 * @param tlsAuthorities certificates in PEM that mode verify trusts; empty: those of the Java platform
 */
public record ShardLogin(
        @Key(
                value = "user",
                required = true,
                live = true,
                about = "Account with SELECT, REPLICATION SLAVE and REPLICATION CLIENT.")
        String user,

        @Key(value = "password", secret = true, live = true, about = "Password of the account.")
        Secret password,

        @Key(
                value = "tls",
                byDefault = "preferred",
                about = "How connections use TLS: disabled, preferred, required, or verify (checks the"
                        + " server's certificate).")
        TlsMode tls,

        @Key(
                value = "tls.authorities",
                about = "PEM file of the certificate authorities that tls = verify trusts; not set: Java's.")
        Optional<Path> tlsAuthorities,

        @Key(
                value = "connect.timeout",
                byDefault = "10s",
                min = "100ms",
                about = "Maximum time from the first packet to the end of the login.")
        Duration connectTimeout) {
    /** An account, with default values for the other keys. */
    static ShardLogin of(String user, Secret password) {
        return new ShardLogin(user, password, TlsMode.PREFERRED, Optional.empty(), Duration.ofSeconds(10));
    }

    /** The same connections with another account. */
    ShardLogin withAccount(String otherUser, Secret otherPassword) {
        return new ShardLogin(otherUser, otherPassword, tls, tlsAuthorities, connectTimeout);
    }

    /** The endpoint of a server. */
    Endpoint endpoint(String host, int port) {
        return new Endpoint(
                host,
                port,
                new Credentials(user, password.reveal()),
                new ClientTls(tls, tlsAuthorities),
                connectTimeout);
    }
}
