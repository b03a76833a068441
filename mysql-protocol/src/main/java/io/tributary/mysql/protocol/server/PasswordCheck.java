package io.tributary.mysql.protocol.server;

import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.auth.Account;
import io.tributary.mysql.protocol.auth.AuthMethod;
import io.tributary.mysql.protocol.auth.PasswordCipher;
import io.tributary.mysql.protocol.auth.PasswordHash;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The server's side of a password exchange, one reply per packet of the client: proof against the digest, auth
 * switch to a method of the account, and for {@code caching_sha2_password} the full exchange if no digest is in memory or
 * the proof does not match it. A user that does not exist goes through the same steps and is refused at the end. Some steps take
 * some 10 ms: not for event loops.
 */
final class PasswordCheck {
    /** The state after a packet. */
    enum Outcome {
        CONTINUES,
        ACCEPTED,
        REFUSED,
        /** The client knows no method of the account. */
        TOO_OLD
    }

    /** The reply to send, possibly empty, and the state after it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never changed
    record Step(Outcome outcome, byte[] reply) {}

    /** The method that the greeting names. */
    static final AuthMethod GREETED = AuthMethod.CACHING_SHA2_PASSWORD;

    private static final byte[] NOTHING = {};
    private static final int AUTH_SWITCH = 0xfe;
    private static final byte MORE = 1;
    private static final byte ASK_PUBLIC_KEY = 2;
    private static final byte PROOF_ACCEPTED = 3;
    private static final byte PASSWORD_WANTED = 4;

    private final Account account;
    private final ServerSecrets secrets;
    private final boolean encrypted;
    private byte[] nonce;
    private AuthMethod method;
    private boolean awaitsPassword;
    private boolean hasPassword;

    PasswordCheck(Optional<Account> found, ServerSecrets secrets, byte[] nonce, boolean encrypted) {
        this.account = found.orElseGet(() -> Account.ofNobody(secrets.salt()));
        this.secrets = secrets;
        this.nonce = nonce;
        this.encrypted = encrypted;
    }

    /** The account that is checked; an account without a valid login if the user does not exist. */
    Account account() {
        return account;
    }

    /** Whether the client has sent more than the empty password; used in messages. */
    boolean hasPassword() {
        return hasPassword;
    }

    /** Processes the client's answer to the greeting: one that names no method is switched to a method of the account. */
    Step begin(ClientHello hello) {
        String pluginName = hello.pluginName();
        byte[] proof = hello.proof();
        hasPassword = proof.length > 0;
        if (!hello.knowsPlugins()) {
            method = AuthMethod.MYSQL_NATIVE_PASSWORD;
            return fits() ? checked(proof) : new Step(Outcome.TOO_OLD, NOTHING);
        }
        method = AuthMethod.ofPlugin(pluginName).orElse(null);
        if (fits() && (proof.length > 0 || mayBeEmpty())) {
            return checked(proof);
        }
        method = fits() ? method : account.method();
        return switched();
    }

    private boolean fits() {
        return method != null
                && (account.password(method).isPresent() || account.needsNoPassword() && method == account.method());
    }

    /** Asks a client that supports plugins for a proof by one of the account's methods, whatever it has sent before. */
    Step ask(ClientHello hello) {
        AuthMethod named = AuthMethod.ofPlugin(hello.pluginName()).orElse(null);
        method = named != null && account.password(named).isPresent() ? named : account.method();
        return hello.knowsPlugins() ? switched() : new Step(Outcome.TOO_OLD, NOTHING);
    }

    private Step switched() {
        nonce = secrets.nonce();
        byte[] name = method.pluginName().getBytes(StandardCharsets.US_ASCII);
        byte[] reply = new byte[1 + name.length + 1 + nonce.length + 1];
        reply[0] = (byte) AUTH_SWITCH;
        System.arraycopy(name, 0, reply, 1, name.length);
        System.arraycopy(nonce, 0, reply, name.length + 2, nonce.length);
        return new Step(Outcome.CONTINUES, reply);
    }

    /**
     * Whether an empty answer to the greeting is valid. A MariaDB replica that supports only its own plugin sends that plugin's name with
     * an empty proof, and waits for a nonce.
     */
    private boolean mayBeEmpty() {
        return method == GREETED
                || account.needsNoPassword()
                || account.password(method).orElseThrow().isOpen();
    }

    /** Processes a later packet of the client. */
    Step answered(byte[] packet) {
        if (!awaitsPassword) {
            return checked(packet);
        }
        if (!encrypted && packet.length == 1 && packet[0] == ASK_PUBLIC_KEY) {
            byte[] key = PasswordCipher.pem(secrets.rsa().getPublic()).getBytes(StandardCharsets.US_ASCII);
            byte[] reply = new byte[1 + key.length];
            reply[0] = MORE;
            System.arraycopy(key, 0, reply, 1, key.length);
            return new Step(Outcome.CONTINUES, reply);
        }
        return result(
                account.password(method).orElseThrow().accepts(encrypted ? zeroEnded(packet) : decrypted(packet)));
    }

    private Step checked(byte[] proof) {
        boolean empty = proof.length == 0 || (proof.length == 1 && proof[0] == 0);
        hasPassword = !empty;
        if (account.needsNoPassword()) { // its certificate has been checked
            return empty ? result(true) : proofAccepted();
        }
        PasswordHash kept = account.password(method).orElseThrow();
        if (kept.isOpen() || empty) {
            return result(kept.isOpen() && empty);
        }
        boolean proven = kept.digest()
                .filter(digest -> method.proves(proof, nonce, digest))
                .isPresent();
        if (method == AuthMethod.MYSQL_NATIVE_PASSWORD) {
            return result(proven);
        }
        if (proven) {
            return proofAccepted();
        }
        awaitsPassword = true;
        return new Step(Outcome.CONTINUES, new byte[] {MORE, PASSWORD_WANTED});
    }

    private static Step proofAccepted() {
        return new Step(Outcome.ACCEPTED, new byte[] {MORE, PROOF_ACCEPTED});
    }

    private String decrypted(byte[] packet) {
        try {
            return PasswordCipher.decrypt(packet, nonce, secrets.rsa().getPrivate());
        } catch (TributaryException e) {
            return ""; // not encrypted for this server: treated like any other wrong password
        }
    }

    private static String zeroEnded(byte[] packet) {
        int length = packet.length > 0 && packet[packet.length - 1] == 0 ? packet.length - 1 : packet.length;
        return new String(packet, 0, length, StandardCharsets.UTF_8);
    }

    private static Step result(boolean right) {
        return new Step(right ? Outcome.ACCEPTED : Outcome.REFUSED, NOTHING);
    }
}
