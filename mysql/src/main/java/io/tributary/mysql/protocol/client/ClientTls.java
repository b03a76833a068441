package io.tributary.mysql.protocol.client;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** Creates TLS handlers as an {@link Endpoint} requires. */
final class ClientTls {
    private ClientTls() {}

    static SslHandler handler(Endpoint endpoint, ByteBufAllocator allocator) {
        SslContextBuilder builder = SslContextBuilder.forClient();
        boolean verifies = endpoint.tls() == TlsMode.VERIFY;
        Optional<Path> authorities = endpoint.authorities();
        try {
            if (!verifies) {
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
