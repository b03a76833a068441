package io.tributary.backup;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A secret of 256 bits from which the keys of files are derived; it has an id that does not reveal it. */
final class BackupKey {
    static final int LENGTH = 32;
    private static final String HMAC = "HmacSHA256";
    private static final int ID_LENGTH = 8;

    private final SecretKeySpec secret;
    private final String id;

    /** @param bytes as many as {@link #LENGTH} */
    BackupKey(byte[] bytes) {
        this.secret = new SecretKeySpec(bytes, HMAC);
        this.id = HexFormat.of().formatHex(Arrays.copyOf(derive("tributary backup key id"), ID_LENGTH));
    }

    /** Sixteen hex digits. */
    String id() {
        return id;
    }

    /** Derives another secret of 256 bits for a purpose: always the same one, and it cannot be computed without this key. */
    byte[] derive(String purpose) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(secret);
            return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("every JDK has " + HMAC, e);
        }
    }
}
