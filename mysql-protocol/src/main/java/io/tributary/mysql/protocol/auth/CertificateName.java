package io.tributary.mysql.protocol.auth;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.security.auth.x500.X500Principal;

/**
 * A name that a client's certificate must have: {@code subject:CN=replica1,O=Example} (RFC 2253), or one of its alternative
 * names, {@code dns:replica1.example}, {@code ip:10.0.0.7}, {@code email:replica@example}, {@code uri:spiffe://example/replica}.
 */
public final class CertificateName {
    /** Kinds of alternative names and their numbers (RFC 5280, GeneralName). */
    private static final Map<String, Integer> KINDS = Map.of("email", 1, "dns", 2, "uri", 6, "ip", 7);

    private static final String SUBJECT = "subject";

    private final String kind;
    private final String name;

    private CertificateName(String kind, String name) {
        this.kind = kind;
        this.name = name;
    }

    /** @throws IllegalArgumentException with what was expected */
    public static CertificateName parse(String text) {
        int colon = text.indexOf(':');
        String kind = colon < 0 ? "" : text.substring(0, colon).toLowerCase(Locale.ROOT);
        String name = text.substring(colon + 1);
        if (name.isEmpty() || !kind.equals(SUBJECT) && !KINDS.containsKey(kind)) {
            throw new IllegalArgumentException(
                    "expected subject:CN=NAME,..., dns:NAME, ip:ADDRESS, email:ADDRESS or uri:URI, found '" + text
                            + "'");
        }
        if (kind.equals(SUBJECT)) {
            new X500Principal(name); // throws with the reason if it is not valid
        }
        return new CertificateName(kind, name);
    }

    /** Whether the certificate, which has been verified, has this name. */
    public boolean isOf(X509Certificate certificate) {
        if (kind.equals(SUBJECT)) {
            return certificate.getSubjectX500Principal().equals(new X500Principal(name));
        }
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null
                    && names.stream()
                            .anyMatch(each -> each.get(0).equals(KINDS.get(kind))
                                    && String.valueOf(each.get(1)).equalsIgnoreCase(name));
        } catch (CertificateParsingException e) {
            return false; // names that cannot be read do not match
        }
    }

    /** The text that was parsed. */
    @Override
    public String toString() {
        return kind + ":" + name;
    }
}
