package io.tributary.node.command.client;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The prompt for a password: at a terminal twice and without echo, else the first line of standard input. */
public final class Password {
    private Password() {}

    /**
     * Reads a password.
     *
     * @throws TributaryException USER_CHANGE_REFUSED if there is none
     */
    // from JDK 22 on the console also reads pipes; the second prompt then finds the end of input
    @SuppressWarnings("SystemConsoleNull")
    public static String ask(String user, PrintWriter err) {
        Console console = System.console();
        String password = console == null ? line() : prompted(console, user, err);
        if (password == null || password.isEmpty()) {
            throw refused("expected a password, found none");
        }
        return password;
    }

    /**
     * Reads a password that a server has already: at a terminal once and without echo, else the first line of standard input.
     *
     * @throws TributaryException TARGET_LOGIN_REFUSED if there is none
     */
    @SuppressWarnings("SystemConsoleNull")
    public static String known(String account) {
        Console console = System.console();
        char[] typed = console == null ? null : console.readPassword("password of %s: ", account);
        String password = console == null ? line() : typed == null ? null : new String(typed);
        if (password == null) {
            throw new TributaryException(
                    ErrorCode.TARGET_LOGIN_REFUSED, "expected the password of " + account + ", found none");
        }
        return password;
    }

    private static String prompted(Console console, String user, PrintWriter err) {
        char[] first = console.readPassword("password of %s: ", user);
        char[] second = console.readPassword("again: ");
        if (first == null || second != null && !Arrays.equals(first, second)) {
            throw refused("expected the same password twice, found two different ones");
        }
        err.flush();
        return new String(first);
    }

    private static String line() {
        try {
            return new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        } catch (IOException e) {
            throw new TributaryException(
                    ErrorCode.USER_CHANGE_REFUSED, "expected a password on standard input, found " + e, e);
        }
    }

    private static TributaryException refused(String message) {
        return new TributaryException(ErrorCode.USER_CHANGE_REFUSED, message);
    }
}
