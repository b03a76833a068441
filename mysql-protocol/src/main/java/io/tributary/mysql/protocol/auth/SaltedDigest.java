package io.tributary.mysql.protocol.auth;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * A password as PBKDF2 with HMAC-SHA-256 and a salt: the stored form is not sufficient for a login. Like MySQL's
 * {@code caching_sha2_password} it asks a client for the password itself the first time, and from then on keeps the digest against
 * which proofs are checked in memory.
 */
final class SaltedDigest implements PasswordHash {
    private static final String NAME = "pbkdf2-sha256";
    private static final Pattern TEXT =
            Pattern.compile(NAME + ":(\\d{4,7}):([A-Za-z0-9+/]{22,86}={0,2}):([A-Za-z0-9+/]{43}=)");
    private static final int ITERATIONS = 50_000;
    private static final int MOST_ITERATIONS = 2_000_000;
    private static final int SALT_BYTES = 16;
    private static final int BITS = 256;

    private final int iterations;
    private final byte[] salt;
    private final byte[] hash;
    private volatile byte[] learned;

    private SaltedDigest(int iterations, byte[] salt, byte[] hash) {
        this.iterations = iterations;
        this.salt = salt;
        this.hash = hash;
    }

    static SaltedDigest of(String password) {
        byte[] salt = new byte[SALT_BYTES];
        new SecureRandom().nextBytes(salt);
        return new SaltedDigest(ITERATIONS, salt, derive(password, salt, ITERATIONS));
    }

    /** A digest that no password matches, and whose check takes the same time. */
    static SaltedDigest ofNothing(byte[] salt) {
        return new SaltedDigest(ITERATIONS, salt.clone(), new byte[0]);
    }

    /** Parses {@link #text()}. */
    static SaltedDigest parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group(1)) > MOST_ITERATIONS) {
            throw new IllegalArgumentException(
                    "expected " + NAME + ":ITERATIONS:SALT:HASH, as tributary user writes it");
        }
        Base64.Decoder base64 = Base64.getDecoder();
        return new SaltedDigest(
                Integer.parseInt(matcher.group(1)), base64.decode(matcher.group(2)), base64.decode(matcher.group(3)));
    }

    private static byte[] derive(String password, byte[] salt, int iterations) {
        PBEKeySpec key = new PBEKeySpec(password.toCharArray(), salt, iterations, BITS);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(key)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has PBKDF2WithHmacSHA256", e);
        } finally {
            key.clearPassword();
        }
    }

    @Override
    public Optional<byte[]> digest() {
        return Optional.ofNullable(learned);
    }

    @Override
    public boolean accepts(String password) {
        boolean right = MessageDigest.isEqual(derive(password, salt, iterations), hash) && !password.isEmpty();
        if (right) {
            learned = AuthMethod.CACHING_SHA2_PASSWORD.digest(password);
        }
        return right;
    }

    @Override
    public String text() {
        Base64.Encoder base64 = Base64.getEncoder();
        return NAME + ":" + iterations + ":" + base64.encodeToString(salt) + ":" + base64.encodeToString(hash);
    }
}
