package io.tributary.backup.store;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;

/** The MD5 with which S3 checks received data, and which is the tag of a part. */
final class Md5 {
    private final byte[] sum;

    Md5(byte[] content, int length) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(content, 0, length);
            this.sum = digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has MD5", e);
        }
    }

    String base64() {
        return Base64.getEncoder().encodeToString(sum);
    }

    /** Whether a store's tag is that of these bytes. */
    boolean isNamedBy(String tag) {
        return tag.replace("\"", "").equalsIgnoreCase(HexFormat.of().formatHex(sum));
    }
}
