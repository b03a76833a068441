package io.tributary.mysql.protocol.auth;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;

/**
 * Encrypts the password in the full exchange of {@code caching_sha2_password} without TLS: the password and a zero byte, XORed with
 * the nonce, encrypted with the server's RSA key by OAEP (MySQL: {@code sha2_password.cc}).
 */
public final class PasswordCipher {
    private static final String TRANSFORMATION = "RSA/ECB/OAEPWithSHA-1AndMGF1Padding";
    private static final String PEM_BEGIN = "-----BEGIN PUBLIC KEY-----";
    private static final String PEM_END = "-----END PUBLIC KEY-----";

    private PasswordCipher() {}

    /** Encrypts a password for the owner of the key, given in PEM as a server sends it. */
    public static byte[] encrypt(String password, byte[] nonce, String publicKeyPem) {
        try {
            Cipher cipher = Cipher.getInstance(TRANSFORMATION);
            cipher.init(Cipher.ENCRYPT_MODE, publicKey(publicKeyPem));
            byte[] bytes = password.getBytes(StandardCharsets.UTF_8);
            return cipher.doFinal(mask(Arrays.copyOf(bytes, bytes.length + 1), nonce));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected a public RSA key in PEM, found an unusable one", e);
        }
    }

    /** Decrypts the result of {@link #encrypt}. */
    public static String decrypt(byte[] encrypted, byte[] nonce, PrivateKey key) {
        try {
            Cipher cipher = Cipher.getInstance(TRANSFORMATION);
            cipher.init(Cipher.DECRYPT_MODE, key);
            byte[] bytes = mask(cipher.doFinal(encrypted), nonce);
            return new String(bytes, 0, Math.max(0, bytes.length - 1), StandardCharsets.UTF_8);
        } catch (GeneralSecurityException e) {
            throw new TributaryException(
                    ErrorCode.PROTOCOL_VIOLATED, "expected a password encrypted with the server's key", e);
        }
    }

    /** A public key in PEM. */
    public static String pem(PublicKey key) {
        String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        return PEM_BEGIN + "\n" + body + "\n" + PEM_END + "\n";
    }

    private static PublicKey publicKey(String pem) throws GeneralSecurityException {
        int begin = pem.indexOf(PEM_BEGIN);
        int end = pem.indexOf(PEM_END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("no PEM");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(pem.substring(begin + PEM_BEGIN.length(), end));
        return KeyFactory.getInstance("RSA").generatePublic(new X509EncodedKeySpec(encoded));
    }

    private static byte[] mask(byte[] bytes, byte[] nonce) {
        byte[] out = new byte[bytes.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = (byte) (bytes[i] ^ nonce[i % nonce.length]);
        }
        return out;
    }
}
