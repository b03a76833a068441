package io.tributary.node.admin;

import io.tributary.common.config.Key;
import io.tributary.common.config.Secret;
import io.tributary.node.console.ConsoleAccess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Optional;

/** The login and the TLS keys of the admin endpoint. */
public record AdminAccess(
        @Key(
                value = "admin.user",
                about = "User name that requests to the admin endpoint must contain (HTTP Basic), except"
                        + " requests to /health, /health/live and /health/ready, and for the summary of the console"
                        + " (admin.console.viewers); not set: no login.")
        Optional<String> user,

        @Key(value = "admin.password", secret = true, about = "Password of admin.user.")
        Optional<Secret> password,

        @Key(
                value = "admin.tls.certificate",
                about = "Certificate of the admin endpoint, in PEM, with the intermediate certificates"
                        + " up to its CA; not set: no TLS. Commands such as `tributary status` accept only"
                        + " this certificate.")
        Optional<Path> certificate,

        @Key(value = "admin.tls.key", about = "Private key of admin.tls.certificate, in PEM (PKCS #8).")
        Optional<Path> key,

        ConsoleAccess console) {
    /** No login, no TLS. */
    public static final AdminAccess OPEN =
            new AdminAccess(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** With the summary of the console for viewers without login. */
    public AdminAccess(
            Optional<String> user, Optional<Secret> password, Optional<Path> certificate, Optional<Path> key) {
        this(user, password, certificate, key, ConsoleAccess.STANDARD);
    }

    public AdminAccess {
        requireBoth("admin.user", user.isPresent(), "admin.password", password.isPresent());
        requireBoth("admin.tls.certificate", certificate.isPresent(), "admin.tls.key", key.isPresent());
    }

    private static void requireBoth(String one, boolean hasOne, String other, boolean hasOther) {
        if (hasOne != hasOther) {
            throw new IllegalArgumentException(
                    one + " and " + other + ": expected both or none, found only " + (hasOne ? one : other));
        }
    }

    /** The Authorization header that a request needs; empty if it needs none. */
    public Optional<String> authorization() {
        return user.map(name -> {
            String login = name + ":" + password.orElseThrow().reveal();
            return "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
        });
    }

    /** Whether those who are admitted see values of rows in the console. */
    boolean showsRows() {
        return user.isPresent() && console.rows();
    }

    /** Whether a request with this Authorization header, which may be null, is accepted. */
    boolean admits(String header) {
        return authorization()
                .map(needed -> header != null
                        && MessageDigest.isEqual(
                                needed.getBytes(StandardCharsets.UTF_8), header.getBytes(StandardCharsets.UTF_8)))
                .orElse(true);
    }
}
