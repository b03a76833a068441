package io.tributary.mysql.protocol.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Optional;

/**
 * The password methods that both sides implement. Each proves knowledge of the password against a twice hashed digest without
 * sending either of them (manual pages "Native Authentication" and "Caching_sha2_password information").
 */
public enum AuthMethod {
    CACHING_SHA2_PASSWORD("caching_sha2_password", "SHA-256", false),
    MYSQL_NATIVE_PASSWORD("mysql_native_password", "SHA-1", true);

    /** Bytes of the nonce that a server sends. */
    public static final int NONCE_LENGTH = 20;

    private final String pluginName;
    private final String algorithm;
    private final boolean nonceFirst;

    AuthMethod(String pluginName, String algorithm, boolean nonceFirst) {
        this.pluginName = pluginName;
        this.algorithm = algorithm;
        this.nonceFirst = nonceFirst;
    }

    /** MySQL's name of the method, as in packets. */
    public String pluginName() {
        return pluginName;
    }

    /** The method with this name in packets; empty if it is unknown. */
    public static Optional<AuthMethod> ofPlugin(String pluginName) {
        for (AuthMethod method : values()) {
            if (method.pluginName.equals(pluginName)) {
                return Optional.of(method);
            }
        }
        return Optional.empty();
    }

    /** The stage-2 digest of a password, hash(hash(password)): it is sufficient for a server. */
    public byte[] digest(String password) {
        return hash(hash(password.getBytes(StandardCharsets.UTF_8)));
    }

    /** The proof that a client sends that it knows the password; empty for the empty password. */
    public byte[] proof(String password, byte[] nonce) {
        if (password.isEmpty()) {
            return new byte[0];
        }
        byte[] stage1 = hash(password.getBytes(StandardCharsets.UTF_8));
        return xor(stage1, salted(nonce, hash(stage1)));
    }

    /** Whether {@code proof} proves knowledge of the password with this stage-2 digest. */
    public boolean proves(byte[] proof, byte[] nonce, byte[] digest) {
        if (proof.length != digest.length) {
            return false;
        }
        byte[] stage1 = xor(proof, salted(nonce, digest));
        return MessageDigest.isEqual(hash(stage1), digest);
    }

    private byte[] salted(byte[] nonce, byte[] digest) {
        return nonceFirst ? hash(nonce, digest) : hash(digest, nonce);
    }

    private byte[] hash(byte[]... parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            for (byte[] part : parts) {
                digest.update(part);
            }
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has " + algorithm, e);
        }
    }

    private static byte[] xor(byte[] left, byte[] right) {
        byte[] out = new byte[left.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (left[i] ^ right[i]);
        }
        return out;
    }
}
