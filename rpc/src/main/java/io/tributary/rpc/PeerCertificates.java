package io.tributary.rpc;

import io.tributary.common.io.ReloadedFiles;
import io.tributary.common.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** This node's certificate and key and its trusted CA, as the files contain them now. Any thread. */
final class PeerCertificates {
    private final Path certificate;
    private final Path ca;
    private final ReloadedFiles<Loaded> files;

    /** The content of the files. */
    record Loaded(
            X509Certificate[] chain, PrivateKey key, X509Certificate[] authorities, X509ExtendedTrustManager trust) {}

    /** @throws io.tributary.common.error.TributaryException TLS_UNUSABLE */
    PeerCertificates(GrpcTlsConfig config) {
        this.certificate = config.certificate().orElseThrow();
        this.ca = config.ca().orElseThrow();
        Path key = config.key().orElseThrow();
        this.files = new ReloadedFiles<>(List.of(certificate, key, ca), () -> load(key));
    }

    /** The content now, after a check for changed files; for each connection. */
    Loaded newest() {
        files.refresh();
        return files.current();
    }

    Loaded current() {
        return files.current();
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
        return new Loaded(chain, own, authorities, trust(authorities));
    }

    private X509ExtendedTrustManager trust(X509Certificate[] authorities) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.length; i++) {
                store.setCertificateEntry("ca" + i, authorities[i]);
            }
            TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            factory.init(store);
            for (TrustManager manager : factory.getTrustManagers()) {
                if (manager instanceof X509ExtendedTrustManager extended) {
                    return extended;
                }
            }
            throw new IllegalStateException("every Java platform checks X.509 certificates");
        } catch (GeneralSecurityException | IOException e) {
            throw PemFiles.unusable(ca, "certificates of a CA", e.toString(), e);
        }
    }

    /** The certificates that this node trusts, for messages. */
    String expected() {
        String names = Arrays.stream(current().authorities())
                .map(authority -> authority.getSubjectX500Principal().getName())
                .collect(Collectors.joining(" or "));
        return "a certificate of " + names + " (grpc.tls.ca = " + ca + "), valid now";
    }

    /** The certificate that this node presents, for messages. */
    String own() {
        return describe(current().chain()[0]) + " (grpc.tls.certificate = " + certificate + ")";
    }

    static String describe(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName() + " of "
                + certificate.getIssuerX500Principal().getName() + ", valid from "
                + certificate.getNotBefore().toInstant() + " to "
                + certificate.getNotAfter().toInstant();
    }
}
