package io.tributary.mysql.protocol.tls;

import io.netty.util.NetUtil;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.DEROctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** The CA of the nodes of a cluster; it issues their certificates (RFC 5280; RSA, sha256WithRSAEncryption). For one thread. */
public final class CertificateAuthority {
    private static final int RSA_BITS = 3072;
    private static final int SERVER_RSA_BITS = 2048; // as MySQL servers use
    private static final Duration EARLIER = Duration.ofHours(1); // for differences of the nodes' clocks
    private static final Extension IS_CA = extension(Extension.basicConstraints, true, new BasicConstraints(true));
    private static final Extension IS_NO_CA = extension(Extension.basicConstraints, true, new BasicConstraints(false));
    private static final Extension SIGNS_CERTIFICATES =
            extension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
    private static final Extension SIGNS_AND_ENCIPHERS =
            extension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature | KeyUsage.keyEncipherment));
    private static final Extension SERVER_AND_CLIENT =
            extension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(new KeyPurposeId[] {
                KeyPurposeId.id_kp_serverAuth, KeyPurposeId.id_kp_clientAuth
            }));

    private final SecureRandom random = new SecureRandom();
    private final X500Name name;
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
        this.name = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()); // with its encoding
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
        return pair(made.sign(made.name, pair, life, IS_CA, SIGNS_CERTIFICATES), pair);
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
        return pair(made.sign(made.name, pair, life, IS_CA, names(hosts)), pair);
    }

    /**
     * Issues a certificate of a node, which uses it as server and as client, and its key.
     *
     * @param node the common name
     * @param hosts names and addresses (IPv4 or IPv6) to which other nodes connect, at least one
     */
    public Pair node(String node, List<String> hosts, Duration life) {
        KeyPair pair = newKey(random, RSA_BITS);
        return pair(sign(name(node), pair, life, IS_NO_CA, SIGNS_AND_ENCIPHERS, SERVER_AND_CLIENT, names(hosts)), pair);
    }

    private static Extension names(List<String> hosts) {
        GeneralName[] names = hosts.stream().map(CertificateAuthority::hostName).toArray(GeneralName[]::new);
        return extension(Extension.subjectAlternativeName, false, new GeneralNames(names));
    }

    private static GeneralName hostName(String host) {
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        return address == null
                ? new GeneralName(GeneralName.dNSName, host)
                : new GeneralName(GeneralName.iPAddress, new DEROctetString(address));
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

    private static X500Name name(String text) {
        return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, text).build();
    }

    private static Extension extension(ASN1ObjectIdentifier identifier, boolean isCritical, ASN1Encodable value) {
        try {
            return Extension.create(identifier, isCritical, value);
        } catch (IOException e) {
            throw new IllegalStateException("an extension can always be encoded", e);
        }
    }

    private byte[] sign(X500Name subject, KeyPair pair, Duration life, Extension... extensions) {
        Instant now = Instant.ofEpochSecond(TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros()));
        X509v3CertificateBuilder certificate = new X509v3CertificateBuilder(
                name,
                new BigInteger(120, random).setBit(119),
                Date.from(now.minus(EARLIER)),
                Date.from(now.plus(life)),
                subject,
                SubjectPublicKeyInfo.getInstance(pair.getPublic().getEncoded()));
        try {
            for (Extension extension : extensions) {
                certificate.addExtension(extension);
            }
            ContentSigner signer = new JcaContentSignerBuilder("SHA256withRSA").build(key);
            return certificate.build(signer).getEncoded();
        } catch (OperatorCreationException e) {
            throw new IllegalArgumentException("expected an RSA key of the CA, found " + key.getAlgorithm(), e);
        } catch (IOException e) {
            throw new IllegalStateException("a certificate can always be encoded", e);
        }
    }

    private static String pem(String type, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + type + "-----\n" + body + "\n-----END " + type + "-----\n";
    }
}
