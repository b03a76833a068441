package io.tributary.sink.registry;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a registry is reached.
 *
 * @param addresses of the registry, at least one, such as {@code http://registry:8081} or {@code http://registry:8080/apis/ccompat/v7}; the others are
 *     used while one does not answer
 * @param login {@code user:password}; empty for none
 * @param authorities a PEM file with the certificates that are trusted for https; empty for those of the JVM
 * @param timeout maximum time to connect, and for an answer
 */
public record RegistryAccess(
        List<URI> addresses, Optional<String> login, Optional<Path> authorities, Duration timeout) {
    public RegistryAccess {
        addresses = List.copyOf(addresses);
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException("expected the address of a schema registry, found none");
        }
        if (addresses.stream().anyMatch(address -> address.getUserInfo() != null)) {
            throw new IllegalArgumentException(
                    "expected the addresses of a schema registry without a login, found one with a login");
        }
    }

    /** The addresses, without the login. */
    @Override
    public String toString() {
        return addresses.toString();
    }
}
