package io.tributary.backup.store;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 in hex. */
public final class Sha256 {
    private final MessageDigest digest;

    public Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public static String of(byte[] bytes) {
        Sha256 sum = new Sha256();
        sum.update(ByteBuffer.wrap(bytes));
        return sum.hex();
    }

    /** Adds the bytes from position to limit, which are not changed. */
    public void update(ByteBuffer view) {
        digest.update(view.duplicate());
    }

    /** The checksum of all added bytes; ends it. */
    public String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
