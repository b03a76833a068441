package io.tributary.common.config;

import java.util.Collection;
import java.util.Optional;

/** Finds the known key that a wrong key most likely means. */
final class NearestKey {
    private NearestKey() {}

    /** The nearest key by edit distance, empty if none is near. */
    static Optional<String> to(String key, Collection<DeclaredKey> known) {
        String nearest = null;
        int least = Math.max(2, key.length() / 3) + 1;
        for (DeclaredKey declared : known) {
            String candidate = withNameOf(key, declared.name());
            int distance = EditDistance.of(key, candidate);
            if (distance < least) {
                least = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /** A family's key with the member name that the wrong key contains. */
    private static String withNameOf(String key, String declared) {
        String[] parts = key.split("\\.", -1);
        String[] wanted = declared.split("\\.", -1);
        for (int i = 0; i < wanted.length && i < parts.length; i++) {
            if (wanted[i].equals(DeclaredKey.OPEN_NAME) && !parts[i].isEmpty()) {
                wanted[i] = parts[i];
            }
        }
        return String.join(".", wanted);
    }
}
