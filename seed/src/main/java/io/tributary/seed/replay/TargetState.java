package io.tributary.seed.replay;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.GtidSet;
import io.tributary.mysql.protocol.client.MysqlClient;
import io.tributary.replay.session.Peer;
import io.tributary.replay.session.SqlSession;

/**
 * What a replay needs to know of its target.
 *
 * @param executed its {@code gtid_executed}
 * @param maxAllowedPacket bytes
 * @param major of its version
 */
record TargetState(GtidSet executed, long maxAllowedPacket, int major) {
    /** Reads it; throws TARGET_UNREACHABLE, TARGET_LOGIN_REFUSED, TARGET_FAILED, TARGET_UNFIT. */
    static TargetState read(MysqlClient client, Peer target) {
        try (SqlSession session = SqlSession.open(client, target)) {
            String version = session.value("SELECT @@version");
            if (session.isMariadb()) {
                throw session.unfit(
                        ErrorCode.TARGET_UNFIT, "expected a MySQL server, which keeps GTIDs, found MariaDB " + version);
            }
            String mode = session.value("SELECT @@global.gtid_mode");
            if (!"ON".equals(mode)) {
                throw session.unfit(ErrorCode.TARGET_UNFIT, "expected gtid_mode = ON, found " + mode);
            }
            return new TargetState(
                    GtidSet.parse(session.value("SELECT @@global.gtid_executed").replace("\n", "")),
                    Long.parseLong(session.value("SELECT @@max_allowed_packet")),
                    Integer.parseInt(version.substring(0, version.indexOf('.'))));
        }
    }
}
