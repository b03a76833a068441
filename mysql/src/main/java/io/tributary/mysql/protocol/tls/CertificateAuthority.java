package io.tributary.mysql.protocol.tls;

import io.netty.util.NetUtil;
import io.tributary.common.pipeline.Clock;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The CA of the nodes of a cluster; it issues their certificates (RFC 5280; RSA, sha256WithRSAEncryption). For one thread. */
public final class CertificateAuthority {
    private static final int RSA_BITS = 3072;
    private static final int SERVER_RSA_BITS = 2048; // as MySQL servers use
    private static final Duration EARLIER = Duration.ofHours(1); // for differences of the nodes' clocks
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final byte[] SHA256_WITH_RSA = Der.sequence(Der.identifier("2a864886f70d01010b"), new byte[] {5, 0});
    private static final byte[] COMMON_NAME = Der.identifier("550403");
    private static final byte[] TRUE = {1, 1, (byte) 0xff};
    private static final byte[] SIGNS_CERTIFICATES = {3, 2, 1, 6}; // keyCertSign, cRLSign
    private static final byte[] SIGNS_AND_ENCIPHERS = {3, 2, 5, (byte) 0xa0}; // digitalSignature, keyEncipherment
    private static final String BASIC_CONSTRAINTS = "551d13";
    private static final String KEY_USAGE = "551d0f";
    private static final String EXTENDED_KEY_USAGE = "551d25";
    private static final String SUBJECT_ALT_NAME = "551d11";
    private static final byte[] SERVER_AUTH = Der.identifier("2b06010505070301");
    private static final byte[] CLIENT_AUTH = Der.identifier("2b06010505070302");

    private final SecureRandom random = new SecureRandom();
    private final byte[] name; // encoded as in the certificate
    private final PrivateKey key;
    private final Clock clock;

    /**
     * A certificate and its key, both in PEM.
     *
     * @param key PKCS #8
     */
    public record Pair(String certificate, String key) {}

    /**
     * An existing CA, to issue certificates for more nodes.
     *
     * @param certificate of the CA
     * @param key of the certificate, RSA
     */
    public CertificateAuthority(X509Certificate certificate, PrivateKey key, Clock clock) {
        this.name = certificate.getSubjectX500Principal().getEncoded();
        this.key = key;
        this.clock = clock;
    }

    private CertificateAuthority(String name, PrivateKey key, Clock clock) {
        this.name = name(name);
        this.key = key;
        this.clock = clock;
    }

    /** Creates a self-signed CA with this common name. */
    public static Pair create(String name, Duration life, Clock clock) {
        KeyPair pair = newKey(new SecureRandom(), RSA_BITS);
        CertificateAuthority made = new CertificateAuthority(name, pair.getPrivate(), clock);
        byte[] certificate = made.sign(
                made.name,
                pair,
                life,
                extension(BASIC_CONSTRAINTS, true, Der.sequence(TRUE)),
                extension(KEY_USAGE, true, SIGNS_CERTIFICATES));
        return pair(certificate, pair);
    }

    /**
     * Creates a self-signed certificate of one server, and its key.
     *
     * @param name the common name
     * @param hosts names and addresses (IPv4 or IPv6) to which clients connect, at least one
     */
    static Pair server(String name, List<String> hosts, Duration life, Clock clock) {
        KeyPair pair = newKey(new SecureRandom(), SERVER_RSA_BITS);
        CertificateAuthority made = new CertificateAuthority(name, pair.getPrivate(), clock);
        byte[] certificate =
                made.sign(made.name, pair, life, extension(BASIC_CONSTRAINTS, true, Der.sequence(TRUE)), names(hosts));
        return pair(certificate, pair);
    }

    /**
     * Issues a certificate of a node, which uses it as server and as client, and its key.
     *
     * @param node the common name
     * @param hosts names and addresses (IPv4 or IPv6) to which other nodes connect, at least one
     */
    public Pair node(String node, List<String> hosts, Duration life) {
        KeyPair pair = newKey(random, RSA_BITS);
        byte[] certificate = sign(
                name(node),
                pair,
                life,
                extension(BASIC_CONSTRAINTS, true, Der.sequence()),
                extension(KEY_USAGE, true, SIGNS_AND_ENCIPHERS),
                extension(EXTENDED_KEY_USAGE, false, Der.sequence(SERVER_AUTH, CLIENT_AUTH)),
                names(hosts));
        return pair(certificate, pair);
    }

    private static byte[] names(List<String> hosts) {
        List<byte[]> names = new ArrayList<>();
        hosts.forEach(host -> names.add(Host.encoded(host)));
        return extension(SUBJECT_ALT_NAME, false, Der.sequence(names.toArray(byte[][]::new)));
    }

    private static Pair pair(byte[] certificate, KeyPair pair) {
        return new Pair(
                pem("CERTIFICATE", certificate),
                pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
    }

    private static KeyPair newKey(SecureRandom random, int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits, random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has RSA", e);
        }
    }

    private static byte[] name(String text) {
        return Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(text))));
    }

    private static byte[] extension(String identifier, boolean isCritical, byte[] value) {
        byte[] octets = Der.octets(value);
        return isCritical
                ? Der.sequence(Der.identifier(identifier), TRUE, octets)
                : Der.sequence(Der.identifier(identifier), octets);
    }

    private byte[] sign(byte[] subject, KeyPair pair, Duration life, byte[]... extensions) {
        Instant now = Instant.ofEpochSecond(TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros()));
        byte[] validity =
                Der.sequence(Der.time(TIME.format(now.minus(EARLIER))), Der.time(TIME.format(now.plus(life))));
        byte[] unsigned = Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(new BigInteger(120, random).setBit(119)),
                SHA256_WITH_RSA,
                name,
                validity,
                subject,
                pair.getPublic().getEncoded(),
                Der.tagged(0xa3, Der.sequence(extensions)));
        try {
            Signature signer = Signature.getInstance("SHA256withRSA");
            signer.initSign(key);
            signer.update(unsigned);
            return Der.sequence(unsigned, SHA256_WITH_RSA, Der.bits(signer.sign()));
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException("expected an RSA key of the CA, found " + key.getAlgorithm(), e);
        }
    }

    private static String pem(String type, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }

    /** A host in a certificate. */
    private static final class Host {
        private static final int DNS_NAME = 0x82;
        private static final int IP_ADDRESS = 0x87;

        private Host() {}

        static byte[] encoded(String host) {
            byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
            return address == null
                    ? Der.tagged(DNS_NAME, host.getBytes(StandardCharsets.US_ASCII))
                    : Der.tagged(IP_ADDRESS, address);
        }
    }
}
