package io.tributary.replay.session;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.MysqlServerError;

/** The errors of servers, by their roles. */
final class PeerErrors {
    private static final int MOST_SHOWN = 200;

    private PeerErrors() {}

    static TributaryException ofLogin(Peer peer, Throwable cause) {
        if (cause instanceof MysqlServerError error) {
            ErrorCode code = switch (peer.role()) {
                case SHARD -> ErrorCode.SHARD_LOGIN_REFUSED;
                case TARGET -> ErrorCode.TARGET_LOGIN_REFUSED;
                case NODE -> ErrorCode.READER_REFUSED;
                case SNAPSHOT -> ErrorCode.SINK_SNAPSHOT_UNFIT;
            };
            return new TributaryException(
                    code, peer + ": expected a login as " + peer.endpoint() + ", found " + error.getMessage(), error);
        }
        return ofTransport(peer, cause);
    }

    static TributaryException ofTransport(Peer peer, Throwable cause) {
        return new TributaryException(
                switch (peer.role()) {
                    case SHARD -> ErrorCode.SHARD_UNREACHABLE;
                    case TARGET -> ErrorCode.TARGET_UNREACHABLE;
                    case NODE -> ErrorCode.NODE_UNREACHABLE;
                    case SNAPSHOT -> ErrorCode.SINK_SNAPSHOT_UNREACHABLE;
                },
                peer + ": " + cause.getMessage(),
                cause);
    }

    static TributaryException ofStatement(Peer peer, String doing, MysqlServerError error) {
        return new TributaryException(
                switch (peer.role()) {
                    case SHARD -> ErrorCode.SQL_FAILED;
                    case TARGET -> ErrorCode.TARGET_FAILED;
                    case NODE -> ErrorCode.READER_REFUSED;
                    case SNAPSHOT -> ErrorCode.SINK_SNAPSHOT_UNFIT;
                },
                peer + ": expected success of " + shown(doing) + ", found " + error.getMessage(),
                error);
    }

    private static String shown(String text) {
        return text.length() <= MOST_SHOWN ? text : text.substring(0, MOST_SHOWN) + "...";
    }
}
