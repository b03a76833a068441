package io.tributary.mysql.protocol.server;

import io.tributary.mysql.protocol.auth.AuthMethod;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/** Nonces, and the RSA key with which clients without TLS encrypt their passwords; created at each start of a server. */
final class ServerSecrets {
    private static final int RSA_BITS = 2048;

    private final SecureRandom random = new SecureRandom();
    private KeyPair rsa;

    /** A nonce of 20 bytes in 1 to 127, without '$', in MySQL's form (a zero byte would end it in a packet). */
    byte[] nonce() {
        byte[] nonce = new byte[AuthMethod.NONCE_LENGTH];
        random.nextBytes(nonce);
        for (int i = 0; i < nonce.length; i++) {
            nonce[i] &= 0x7f;
            if (nonce[i] == 0 || nonce[i] == '$') {
                nonce[i]++;
            }
        }
        return nonce;
    }

    /** A salt for the stored form of a password that does not exist. */
    byte[] salt() {
        byte[] salt = new byte[16];
        random.nextBytes(salt);
        return salt;
    }

    /** The key pair, created when it is first needed (some 100 ms). */
    synchronized KeyPair rsa() {
        if (rsa == null) {
            try {
                KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
                generator.initialize(RSA_BITS, random);
                rsa = generator.generateKeyPair();
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException("every Java platform has RSA", e);
            }
        }
        return rsa;
    }
}
