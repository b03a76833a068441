package io.tributary.common.tls;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.ByteArrayInputStream;
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
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys in PEM. Unusable ones throw TLS_UNUSABLE with the file's name. */
public final class PemFiles {
    private static final Pattern KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final Pattern ANY_KEY =
            Pattern.compile("-----BEGIN [A-Z ]*PRIVATE KEY-----.*?-----END [A-Z ]*PRIVATE KEY-----", Pattern.DOTALL);
    private static final Map<String, String> SIGNATURES =
            Map.of("RSA", "SHA256withRSA", "EC", "SHA256withECDSA", "Ed25519", "Ed25519");

    private PemFiles() {}

    /** All certificates of a file, at least one; keys in it are ignored. */
    public static X509Certificate[] certificates(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            InputStream in = new ByteArrayInputStream(
                    ANY_KEY.matcher(text).replaceAll("").getBytes(StandardCharsets.ISO_8859_1));
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

    /**
     * The key (PKCS #8) of a certificate. The files of a pair are replaced one after the other: a key that does not match yet must not be used.
     *
     * @param certificate the file of the chain, for messages
     */
    public static PrivateKey keyOf(Path key, X509Certificate[] chain, Path certificate) {
        PrivateKey own = privateKey(key);
        requirePair(key, own, chain[0], certificate);
        return own;
    }

    private static PrivateKey privateKey(Path key) {
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
                .orElseThrow(() ->
                        unusable(key, "a private key of RSA, EC or Ed25519", "another kind or a damaged one", null));
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

    private static void requirePair(Path key, PrivateKey own, X509Certificate first, Path certificate) {
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

    /** Makes the exception to throw. */
    public static TributaryException unusable(Path file, String expected, String found, Exception cause) {
        return new TributaryException(
                ErrorCode.TLS_UNUSABLE, file + ": expected " + expected + ", found " + found, cause);
    }
}
