package io.tributary.node.status;

import java.net.InetSocketAddress;
import java.util.Optional;

/**
 * The server of readers.
 *
 * @param address at which it serves; empty while it does not
 * @param users that may log in
 */
public record ReadersStatus(Optional<InetSocketAddress> address, String users) {
    /** A server that does not serve yet. */
    public static final ReadersStatus NOT_YET = new ReadersStatus(Optional.empty(), "");
}
