package io.tributary.node.console;

import io.tributary.common.io.ReloadedFiles;
import io.tributary.common.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Which certificates of other members' admin endpoints this node accepts: those of the CAs in its files, and those that are in them, under the name
 * or address by which it connects. Replaced files are used from the next request on. For one thread.
 */
public final class MemberTrust {
    private static final String PASSWORD = "";

    private final List<Path> files;
    private final Optional<ReloadedFiles<SSLContext>> contexts;

    /**
     * Reads the files.
     *
     * @param files with certificates in PEM; none: no certificate is accepted
     * @throws io.tributary.common.error.TributaryException TLS_UNUSABLE
     */
    public MemberTrust(List<Path> files) {
        this.files = List.copyOf(files);
        this.contexts = files.isEmpty() ? Optional.empty() : Optional.of(new ReloadedFiles<>(files, this::load));
    }

    /** The context for connections now; empty if no certificate is accepted. */
    Optional<SSLContext> context() {
        contexts.ifPresent(ReloadedFiles::refresh);
        return contexts.map(ReloadedFiles::current);
    }

    private SSLContext load() {
        try {
            KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null, PASSWORD.toCharArray());
            for (Path file : files) {
                for (X509Certificate each : PemFiles.certificates(file)) {
                    trusted.setCertificateEntry("certificate-" + trusted.size(), each);
                }
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw PemFiles.unusable(files.get(0), "certificates to trust", e.toString(), e);
        }
    }

    /** Why a certificate was refused; empty if a connection failed for another reason. It contains no text of the other node. */
    static Optional<String> refusal(Throwable failure) {
        Optional<String> found = Optional.empty();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof CertificateExpiredException) {
                return Optional.of("its certificate has expired");
            }
            boolean isName = cause instanceof CertificateException
                    && cause.getMessage() != null
                    && (cause.getMessage().startsWith("No subject alternative")
                            || cause.getMessage().startsWith("No name matching"));
            if (isName) {
                return Optional.of("its certificate is for other names and addresses");
            }
            if (cause instanceof CertificateException) {
                found = Optional.of(
                        "its certificate is of no CA in the files grpc.tls.ca and admin.tls.certificate of this node");
            }
        }
        return found;
    }
}
