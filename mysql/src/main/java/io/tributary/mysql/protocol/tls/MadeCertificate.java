package io.tributary.mysql.protocol.tls;

import io.tributary.common.io.PrivateFile;
import io.tributary.common.pipeline.Clock;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.concurrent.TimeUnit;

/**
 * A certificate that a server makes for itself at its first start, as MySQL does: it encrypts, and says who it is only to those who were
 * given it (RFC 5280; sha256WithRSAEncryption).
 */
public final class MadeCertificate {
    /** Names of the files, as a MySQL server calls its own. */
    public static final String CERTIFICATE = "server-cert.pem";

    public static final String KEY = "server-key.pem";

    private static final int RSA_BITS = 2048;
    private static final Duration LIFE = Duration.ofDays(3650);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final byte[] SHA256_WITH_RSA = Der.sequence(Der.identifier("2a864886f70d01010b"), new byte[] {5, 0});
    private static final byte[] COMMON_NAME = Der.identifier("550403");
    private static final byte[] BASIC_CONSTRAINTS = Der.identifier("551d13");
    private static final byte[] SUBJECT_ALT_NAME = Der.identifier("551d11");
    private static final byte[] TRUE = {1, 1, (byte) 0xff};

    private MadeCertificate() {}

    /**
     * Makes both files in a folder unless they are there.
     *
     * @param name the certificate's common name
     * @return whether they were made
     */
    public static boolean in(Path folder, String name, Clock clock) throws IOException {
        Path certificate = folder.resolve(CERTIFICATE);
        Path key = folder.resolve(KEY);
        if (Files.exists(certificate) && Files.exists(key)) {
            return false;
        }
        SecureRandom random = new SecureRandom();
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(RSA_BITS, random);
            KeyPair pair = generator.generateKeyPair();
            Instant now = Instant.ofEpochSecond(TimeUnit.MICROSECONDS.toSeconds(clock.epochMicros()));
            byte[] made = certificate(pair, name, new BigInteger(120, random).setBit(119), now);
            PrivateFile.createFolder(folder);
            PrivateFile.replace(key, pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
            PrivateFile.replace(certificate, pem("CERTIFICATE", made));
            return true;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has RSA and SHA-256", e);
        }
    }

    private static byte[] certificate(KeyPair pair, String name, BigInteger serial, Instant now)
            throws GeneralSecurityException {
        byte[] who = Der.sequence(Der.set(Der.sequence(COMMON_NAME, Der.text(name))));
        byte[] validity = Der.sequence(
                Der.time(TIME.format(now.minus(Duration.ofHours(1)))), Der.time(TIME.format(now.plus(LIFE))));
        byte[] localhost = Der.tagged(0x82, "localhost".getBytes(StandardCharsets.US_ASCII));
        byte[] loopback = Der.tagged(0x87, new byte[] {127, 0, 0, 1});
        byte[] extensions = Der.sequence(
                Der.sequence(BASIC_CONSTRAINTS, TRUE, Der.octets(Der.sequence(TRUE))),
                Der.sequence(SUBJECT_ALT_NAME, Der.octets(Der.sequence(localhost, loopback))));
        byte[] unsigned = Der.sequence(
                Der.tagged(0xa0, Der.integer(BigInteger.TWO)),
                Der.integer(serial),
                SHA256_WITH_RSA,
                who,
                validity,
                who,
                pair.getPublic().getEncoded(),
                Der.tagged(0xa3, extensions));
        Signature signer = Signature.getInstance("SHA256withRSA");
        signer.initSign(pair.getPrivate());
        signer.update(unsigned);
        return Der.sequence(unsigned, SHA256_WITH_RSA, Der.bits(signer.sign()));
    }

    private static String pem(String what, byte[] bytes) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + body + "\n-----END " + what + "-----\n";
    }
}
