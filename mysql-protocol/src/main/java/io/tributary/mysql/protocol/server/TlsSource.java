package io.tributary.mysql.protocol.server;

import io.netty.handler.ssl.SslContext;

/** The server's side of TLS, which may change while it listens. */
public interface TlsSource {
    /** The context of the next connection. Called on event loops. */
    SslContext context();

    /** Checks for a newer context; called for each connection, by a thread that may read files. */
    default void refresh() {}

    /** A source that never changes. */
    static TlsSource of(SslContext context) {
        return () -> context;
    }
}
