package io.tributary.mysql.protocol.server;

import io.netty.handler.ssl.SslContext;

/** The server's side of TLS, which may change while it listens. */
public interface TlsSource {
    /** What the next connection uses. Called on event loops. */
    SslContext context();

    /** Looks whether there is something newer; called for each connection, by a thread that may read files. */
    default void refresh() {}

    /** One that never changes. */
    static TlsSource of(SslContext context) {
        return () -> context;
    }
}
