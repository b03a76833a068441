package io.tributary.serve;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.metric.Metric;
import io.tributary.common.metric.Metrics;
import io.tributary.common.pipeline.Clock;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.Grant;
import io.tributary.mysql.protocol.auth.PasswordHash;
import io.tributary.mysql.protocol.auth.Passwords;
import io.tributary.mysql.protocol.server.ServerSettings;
import io.tributary.mysql.protocol.tls.SelfSignedCertificate;
import io.tributary.mysql.protocol.tls.TlsFiles;
import io.tributary.serve.filter.ReaderFilters;
import io.tributary.serve.users.UsersFile;
import io.tributary.serve.users.WatchedUsers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users and certificates for logins, from the configuration and from their files. */
final class Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(Authenticator.class);

    private final ServeConfig config;
    private final WatchedUsers users;
    private final Optional<TlsFiles> tls;

    /**
     * Reads the files, and creates a certificate if there is none.
     *
     * @param folder of the users file and of the certificate that the node creates
     * @throws TributaryException USERS_UNUSABLE, TLS_UNUSABLE, DIRECTORY_UNUSABLE
     */
    Authenticator(ServeConfig config, Path folder, Clock clock) {
        this.config = config;
        this.users = new WatchedUsers(folder.resolve(UsersFile.NAME), configured(config));
        this.tls = config.tls().enabled() ? Optional.of(tls(config.tls(), folder, clock)) : Optional.empty();
    }

    private static Optional<Account> configured(ServeConfig config) {
        return config.password().map(secret -> {
            String password = secret.reveal();
            Optional<PasswordHash> nativePassword = config.nativePassword()
                    ? Optional.of(Passwords.ofText(AuthMethod.MYSQL_NATIVE_PASSWORD, password))
                    : Optional.empty();
            PasswordHash sha2 = Passwords.ofText(AuthMethod.CACHING_SHA2_PASSWORD, password);
            return Account.of(config.user(), Optional.of(sha2), nativePassword, Optional.empty(), Grant.ALL);
        });
    }

    private static TlsFiles tls(ServeTlsConfig config, Path folder, Clock clock) {
        if (config.certificate().isPresent()) {
            return new TlsFiles(config.certificate().get(), config.key().orElseThrow(), config.ca());
        }
        try {
            if (SelfSignedCertificate.in(folder, "Tributary auto-generated certificate", clock)) {
                LOG.info("certificate created: folder={}", folder);
            }
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.DIRECTORY_UNUSABLE,
                    folder + ": expected a folder to write a certificate to, found " + e,
                    e);
        }
        return new TlsFiles(
                folder.resolve(SelfSignedCertificate.CERTIFICATE),
                folder.resolve(SelfSignedCertificate.KEY),
                config.ca());
    }

    /** The settings of the server for these users and certificates. */
    ServerSettings settings(String version) {
        ServerSettings.Logins logins = ServerSettings.Logins.USUAL.with(
                config.logins(), config.loginTimeout(), config.tls().required());
        ServerSettings.Limits limits = config.limits().on(ServerSettings.Limits.USUAL.with(logins));
        ServerSettings settings = ServerSettings.of(config.listen().resolve(), version, users)
                .with(limits)
                .withCompressed(config.compressed());
        return tls.isPresent() ? settings.withTls(tls.get()) : settings;
    }

    /** The tables that each user may read, as of the last poll. */
    ReaderFilters filters() {
        return users;
    }

    /** Reads the users file again if it has changed; not on an event loop. */
    void poll() {
        users.poll();
    }

    void register(Metrics metrics) {
        metrics.register(Metric.SERVE_STALE, () -> stale());
    }

    private int stale() {
        boolean certificate = tls.filter(files -> !files.problem().isEmpty()).isPresent();
        return (users.problem().isEmpty() ? 0 : 1) + (certificate ? 1 : 0);
    }

    /** A short text for the status. */
    String facts() {
        String problem = users.problem() + tls.map(TlsFiles::problem).orElse("");
        return users.count() + " users" + (problem.isEmpty() ? "" : "; not used: " + problem);
    }
}
