package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.SSLException;

/**
 * The use of TLS for the connections to a server.
 *
 * @param authorities certificates in PEM that {@link TlsMode#VERIFY} trusts; empty: those of the Java platform
 */
public record ClientTls(TlsMode mode, Optional<Path> authorities) {
    public ClientTls {
        Objects.requireNonNull(mode);
        Objects.requireNonNull(authorities);
    }

    /** A handler of a connection to this endpoint. */
    SslHandler handler(Endpoint endpoint, ByteBufAllocator allocator) {
        SslContextBuilder builder = SslContextBuilder.forClient();
        try {
            if (mode != TlsMode.VERIFY) {
                builder.trustManager(InsecureTrustManagerFactory.INSTANCE).endpointIdentificationAlgorithm(null);
            } else if (authorities.isPresent()) {
                builder.trustManager(authorities.get().toFile());
            }
            return builder.build().newHandler(allocator, endpoint.host(), endpoint.port());
        } catch (SSLException | IllegalArgumentException e) {
            throw new TributaryException(
                    ErrorCode.CONFIG_INVALID, "TLS for " + endpoint + " cannot be set up: " + e.getMessage(), e);
        }
    }
}
