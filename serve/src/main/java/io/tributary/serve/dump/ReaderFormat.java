package io.tributary.serve.dump;

import io.tributary.mysql.protocol.server.DumpRequest;
import java.util.Map;

/**
 * The format in which a reader gets its events, from the variables that it has set.
 *
 * @param checksumAtFirst whether the ROTATE event that begins the dump has a checksum. Events of files are sent unchanged, with their checksums,
 *     also to a reader that requested NONE: FORMAT_DESCRIPTION reports it, as from a MySQL server (observed with 8.0.31)
 * @param heartbeatNanos time without an event after which a heartbeat is sent; 0 for none
 * @param heartbeatV2 whether heartbeats are of type 41
 * @param semiSync whether the reader acknowledges what it has received
 */
public record ReaderFormat(boolean checksumAtFirst, long heartbeatNanos, boolean heartbeatV2, boolean semiSync) {
    private static final String[] CHECKSUM = {"source_binlog_checksum", "master_binlog_checksum"};
    private static final String[] HEARTBEAT = {"source_heartbeat_period", "master_heartbeat_period"};
    private static final String[] SEMI_SYNC = {"rpl_semi_sync_replica", "rpl_semi_sync_slave"};

    public static ReaderFormat of(DumpRequest request, Map<String, String> variables) {
        String checksum = first(variables, CHECKSUM);
        if (checksum == null) {
            throw new DumpRefusal(
                    "Replica can not handle replication events with the checksum that source is configured"
                            + " to log; set @source_binlog_checksum first");
        }
        boolean mariadb = variables.containsKey("mariadb_slave_capability");
        return new ReaderFormat(
                !checksum.equalsIgnoreCase("NONE"),
                period(variables),
                request.wantsHeartbeatV2() && !mariadb,
                "1".equals(first(variables, SEMI_SYNC)));
    }

    private static long period(Map<String, String> variables) {
        String text = first(variables, HEARTBEAT);
        try {
            return text == null ? 0 : Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            throw new DumpRefusal("expected @source_heartbeat_period in nanoseconds, found '" + text + "'");
        }
    }

    private static String first(Map<String, String> variables, String... names) {
        for (String name : names) {
            if (variables.get(name) != null) {
                return variables.get(name);
            }
        }
        return null;
    }
}
