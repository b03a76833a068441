package io.tributary.rpc;

import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import io.tributary.common.io.ReloadedFiles;
import io.tributary.common.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * This node's certificate and key and its trusted CA, as the files contain them now, in gRPC's managers for TLS. A manager that is given away
 * follows the files. Any thread.
 */
final class PeerCertificates {
    private final Path certificate;
    private final Path ca;
    private final AdvancedTlsX509KeyManager identity = new AdvancedTlsX509KeyManager();
    private final AdvancedTlsX509TrustManager trust = checksOfGrpc();
    private final ReloadedFiles<Loaded> files;

    /** The certificates in the files, for messages. */
    private record Loaded(X509Certificate own, X509Certificate[] authorities) {}

    /** @throws io.tributary.common.error.TributaryException TLS_UNUSABLE */
    PeerCertificates(GrpcTlsConfig config) {
        this.certificate = config.certificate().orElseThrow();
        this.ca = config.ca().orElseThrow();
        Path key = config.key().orElseThrow();
        this.files = new ReloadedFiles<>(List.of(certificate, key, ca), () -> load(key));
    }

    private static AdvancedTlsX509TrustManager checksOfGrpc() {
        try {
            return AdvancedTlsX509TrustManager.newBuilder().build();
        } catch (CertificateException e) {
            throw new IllegalStateException("gRPC checks certificates and names if nothing else is set", e);
        }
    }

    /** Checks whether a file has changed, and uses the new content if so; before each connection. */
    void refresh() {
        files.refresh();
    }

    /** Presents this node's certificate, as server and as client. */
    X509ExtendedKeyManager identity() {
        return identity;
    }

    /** Trusts the certificates of the CA. */
    X509ExtendedTrustManager trust() {
        return trust;
    }

    String problem() {
        return files.problem();
    }

    private Loaded load(Path key) {
        X509Certificate[] chain = PemFiles.certificates(certificate);
        PrivateKey own = PemFiles.keyOf(key, chain, certificate);
        try {
            chain[0].checkValidity();
        } catch (CertificateException e) {
            throw PemFiles.unusable(certificate, "a certificate that is valid now", describe(chain[0]), e);
        }
        X509Certificate[] authorities = PemFiles.certificates(ca);
        try {
            trust.updateTrustCredentials(authorities);
        } catch (GeneralSecurityException | IOException e) {
            throw PemFiles.unusable(ca, "certificates of a CA", e.toString(), e);
        }
        identity.updateIdentityCredentials(chain, own);
        return new Loaded(chain[0], authorities);
    }

    /** The certificates that this node trusts, for messages. */
    String expected() {
        String names = Arrays.stream(files.current().authorities())
                .map(authority -> authority.getSubjectX500Principal().getName())
                .collect(Collectors.joining(" or "));
        return "a certificate of " + names + " (grpc.tls.ca = " + ca + "), valid now";
    }

    /** The certificate that this node presents, for messages. */
    String own() {
        return describe(files.current().own()) + " (grpc.tls.certificate = " + certificate + ")";
    }

    static String describe(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName() + " of "
                + certificate.getIssuerX500Principal().getName() + ", valid from "
                + certificate.getNotBefore().toInstant() + " to "
                + certificate.getNotAfter().toInstant();
    }
}
