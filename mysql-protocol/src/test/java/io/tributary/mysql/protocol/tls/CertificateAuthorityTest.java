package io.tributary.mysql.protocol.tls;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.pipeline.Clock;
import io.tributary.common.tls.PemFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The properties of created certificates, as the JDK reads them. */
class CertificateAuthorityTest {
    private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
    private static final Duration LIFE = Duration.ofDays(825);

    /** A clock that stands still. */
    private static final Clock CLOCK = new Clock() {
        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public long epochMicros() {
            return TimeUnit.SECONDS.toMicros(NOW.getEpochSecond()) + 999_999;
        }
    };

    private static CertificateAuthority.Pair authority; // made once: the key takes long

    @TempDir
    private Path folder;

    @BeforeAll
    static void authority() {
        authority = CertificateAuthority.create("Nodes of K\u00f6ln", LIFE, CLOCK);
    }

    private X509Certificate certificate(CertificateAuthority.Pair made) throws IOException {
        X509Certificate[] chain = PemFiles.certificates(Files.writeString(folder.resolve("c.pem"), made.certificate()));
        assertEquals(1, chain.length);
        return chain[0];
    }

    /** The key of a pair; it belongs to the certificate. */
    private PrivateKey key(CertificateAuthority.Pair made) throws IOException {
        Path file = Files.writeString(folder.resolve("k.pem"), made.key());
        return PemFiles.keyOf(file, new X509Certificate[] {certificate(made)}, folder.resolve("c.pem"));
    }

    private static Set<String> names(X509Certificate certificate) throws Exception {
        return certificate.getSubjectAlternativeNames().stream()
                .map(name -> name.get(0) + "=" + name.get(1))
                .collect(Collectors.toSet());
    }

    private static void checkValidityAndKey(X509Certificate certificate, int bits) {
        assertEquals(3, certificate.getVersion());
        assertEquals("SHA256withRSA", certificate.getSigAlgName());
        assertEquals(NOW.minus(Duration.ofHours(1)), certificate.getNotBefore().toInstant());
        assertEquals(NOW.plus(LIFE), certificate.getNotAfter().toInstant());
        assertEquals(
                bits, ((RSAPublicKey) certificate.getPublicKey()).getModulus().bitLength());
        assertEquals(120, certificate.getSerialNumber().bitLength());
    }

    @Test
    void aCaSignsCertificatesAndNothingElse() throws Exception {
        X509Certificate ca = certificate(authority);
        checkValidityAndKey(ca, 3072);
        assertEquals("CN=Nodes of K\u00f6ln", ca.getSubjectX500Principal().getName());
        assertEquals(ca.getSubjectX500Principal(), ca.getIssuerX500Principal());
        assertEquals(Integer.MAX_VALUE, ca.getBasicConstraints());
        boolean[] usage = new boolean[9];
        usage[5] = true; // keyCertSign
        usage[6] = true; // cRLSign
        assertArrayEquals(usage, ca.getKeyUsage());
        assertEquals(Set.of("2.5.29.15", "2.5.29.19"), ca.getCriticalExtensionOIDs());
        assertEquals(Set.of(), ca.getNonCriticalExtensionOIDs());
        ca.verify(ca.getPublicKey());
    }

    @Test
    void aNodeIsServerAndClientAndIsReachedByNamesAndAddresses() throws Exception {
        X509Certificate ca = certificate(authority);
        CertificateAuthority.Pair made = new CertificateAuthority(ca, key(authority), CLOCK)
                .node("task-1", List.of("task-1.example", "10.0.0.11", "::1"), LIFE);
        X509Certificate node = certificate(made);
        checkValidityAndKey(node, 3072);
        assertEquals("RSA", key(made).getAlgorithm());
        assertEquals("CN=task-1", node.getSubjectX500Principal().getName());
        assertArrayEquals(
                ca.getSubjectX500Principal().getEncoded(),
                node.getIssuerX500Principal().getEncoded());
        assertEquals(-1, node.getBasicConstraints());
        boolean[] usage = new boolean[9];
        usage[0] = true; // digitalSignature
        usage[2] = true; // keyEncipherment
        assertArrayEquals(usage, node.getKeyUsage());
        assertEquals(Set.of("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2"), new HashSet<>(node.getExtendedKeyUsage()));
        assertEquals(Set.of("2=task-1.example", "7=10.0.0.11", "7=0:0:0:0:0:0:0:1"), names(node));
        assertEquals(Set.of("2.5.29.15", "2.5.29.19"), node.getCriticalExtensionOIDs());
        assertEquals(Set.of("2.5.29.17", "2.5.29.37"), node.getNonCriticalExtensionOIDs());
        node.verify(ca.getPublicKey());
    }

    @Test
    void aServerSignsItsOwnCertificate() throws Exception {
        CertificateAuthority.Pair made = CertificateAuthority.server("server", List.of("localhost"), LIFE, CLOCK);
        X509Certificate server = certificate(made);
        checkValidityAndKey(server, 2048);
        assertEquals("RSA", key(made).getAlgorithm());
        assertEquals("CN=server", server.getSubjectX500Principal().getName());
        assertEquals(Integer.MAX_VALUE, server.getBasicConstraints());
        assertNull(server.getKeyUsage());
        assertEquals(Set.of("2=localhost"), names(server));
        assertEquals(Set.of("2.5.29.19"), server.getCriticalExtensionOIDs());
        server.verify(server.getPublicKey());
    }

    @Test
    void aKeyThatIsNotRsaIsRefused() throws Exception {
        PrivateKey other = KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate();
        CertificateAuthority wrong = new CertificateAuthority(certificate(authority), other, CLOCK);
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> wrong.node("n", List.of("h"), LIFE));
        assertTrue(refused.getMessage().contains("expected an RSA key of the CA, found EC"), refused.getMessage());
    }
}
