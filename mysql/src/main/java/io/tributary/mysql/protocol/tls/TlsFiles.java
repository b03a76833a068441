package io.tributary.mysql.protocol.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.io.FileStamp;
import io.tributary.mysql.protocol.server.TlsSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * TLS 1.2 and 1.3 from files in PEM: certificates, key (PKCS #8), and the CA of clients' certificates. Files that change are used from
 * the next connection on; what they held before goes on where they cannot be used, until they can.
 */
public final class TlsFiles implements TlsSource {
    private static final Logger LOG = LoggerFactory.getLogger(TlsFiles.class);
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "Ed25519", "Ed25519");

    private final Path certificate;
    private final Path key;
    private final Optional<Path> ca;
    private volatile SslContext context;
    private volatile String problem = "";
    private List<FileStamp> stamps;

    /**
     * Reads the files.
     *
     * @param ca empty: clients are not asked for certificates
     * @throws TributaryException TLS_UNUSABLE
     */
    public TlsFiles(Path certificate, Path key, Optional<Path> ca) {
        this.certificate = certificate;
        this.key = key;
        this.ca = ca;
        this.stamps = stamps();
        this.context = load();
    }

    @Override
    public SslContext context() {
        return context;
    }

    /** What is wrong with the files as they are now; empty where nothing is. */
    public String problem() {
        return problem;
    }

    @Override
    public synchronized void refresh() {
        List<FileStamp> now = stamps();
        if (now.equals(stamps)) {
            return;
        }
        stamps = now;
        try {
            context = load();
            problem = "";
            LOG.info("uses the certificate in {} as it is now", certificate);
        } catch (TributaryException e) {
            problem = e.getMessage();
            LOG.error("{}; the certificate that was there before goes on", e.line());
        }
    }

    private List<FileStamp> stamps() {
        List<FileStamp> all = new ArrayList<>(List.of(FileStamp.of(certificate), FileStamp.of(key)));
        ca.ifPresent(file -> all.add(FileStamp.of(file)));
        return all;
    }

    private SslContext load() {
        X509Certificate[] chain = certificates(certificate);
        PrivateKey own = privateKey();
        requirePair(own, chain[0]);
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(own, chain)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2");
            ca.ifPresent(file -> builder.trustManager(certificates(file)).clientAuth(ClientAuth.OPTIONAL));
            return builder.build();
        } catch (IOException e) {
            throw unusable(certificate, "a certificate and a key for TLS", e.toString(), e);
        }
    }

    private static X509Certificate[] certificates(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            X509Certificate[] found = CertificateFactory.getInstance("X.509").generateCertificates(in).stream()
                    .map(X509Certificate.class::cast)
                    .toArray(X509Certificate[]::new);
            if (found.length == 0) {
                throw unusable(file, "certificates in PEM", "none", null);
            }
            return found;
        } catch (IOException | CertificateException e) {
            throw unusable(file, "certificates in PEM", e.toString(), e);
        }
    }

    private PrivateKey privateKey() {
        String text;
        try {
            text = Files.readString(key, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw unusable(key, "a private key", e.toString(), e);
        }
        Matcher pem = KEY.matcher(text);
        if (!pem.find()) {
            throw unusable(key, "a private key in PEM as PKCS #8 (openssl pkcs8 -topk8 -nocrypt)", "none", null);
        }
        PKCS8EncodedKeySpec encoded =
                new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(pem.group(1)));
        return SIGNATURES.keySet().stream()
                .flatMap(algorithm -> key(algorithm, encoded).stream())
                .findFirst()
                .orElseThrow(
                        () -> unusable(key, "a private key of RSA, EC or Ed25519", "another or a damaged one", null));
    }

    private static Optional<PrivateKey> key(String algorithm, PKCS8EncodedKeySpec encoded) {
        try {
            return Optional.of(KeyFactory.getInstance(algorithm).generatePrivate(encoded));
        } catch (InvalidKeySpecException otherKind) {
            return Optional.empty();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    /** The files of a pair are replaced one after the other: what does not fit yet must not be served. */
    private void requirePair(PrivateKey own, X509Certificate first) {
        try {
            byte[] text = "pair".getBytes(StandardCharsets.US_ASCII);
            String algorithm = own.getAlgorithm().equals("EdDSA") ? "Ed25519" : own.getAlgorithm();
            Signature signature = Signature.getInstance(SIGNATURES.get(algorithm));
            signature.initSign(own);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(first.getPublicKey());
            signature.update(text);
            if (signature.verify(signed)) {
                return;
            }
        } catch (GeneralSecurityException e) {
            throw unusable(key, "the key of the certificate in " + certificate, e.toString(), e);
        }
        throw unusable(key, "the key of the certificate in " + certificate, "another key", null);
    }

    private static TributaryException unusable(Path file, String expected, String found, Exception cause) {
        return new TributaryException(
                ErrorCode.TLS_UNUSABLE, file + ": expected " + expected + ", found " + found, cause);
    }
}
