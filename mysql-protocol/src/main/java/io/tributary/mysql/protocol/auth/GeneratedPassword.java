package io.tributary.mysql.protocol.auth;

import java.security.SecureRandom;

/** Makes passwords for accounts that nobody types, and random server ids. */
public final class GeneratedPassword {
    private static final String LETTERS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    private static final int RANDOM_CHARS = 24;
    private static final int LEAST_ID = 1_000_000;

    private final SecureRandom random = new SecureRandom();

    /**
     * A password of 28 characters with at least 139 random bits. It has a small and a capital letter, a digit and a sign, as validate_password requires,
     * and no character that SQL, a shell, a URL or a properties file treats specially.
     */
    public String next() {
        StringBuilder password = new StringBuilder();
        for (int i = 0; i < RANDOM_CHARS; i++) {
            password.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return password.append("-aA2").toString();
    }

    /** A server id from 1000000 on that most likely no other server has. */
    public long nextServerId() {
        return random.nextInt(LEAST_ID, Integer.MAX_VALUE);
    }
}
