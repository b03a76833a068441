package io.tributary.serve;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.time.Duration;

/** The configuration keys that limit the number of readers and their memory, so that one reader cannot use up what others need. */
public record ServeLimits(
        @Key(
                value = "serve.connections",
                byDefault = "1024",
                min = "1",
                max = "65535",
                about = "Maximum number of sessions; a further one is refused with error 1040.")
        int connections,

        @Key(
                value = "serve.reserved-connections",
                byDefault = "4",
                min = "0",
                max = "1024",
                about = "Number of additional sessions for users with the right admin.")
        int reserved,

        @Key(
                value = "serve.user-connections",
                byDefault = "256",
                min = "0",
                max = "65535",
                about = "Maximum number of sessions of one user without the right admin whose account"
                        + " has no own limit; a further one is refused with error 1226. 0: as many as"
                        + " serve.connections.")
        int ofUser,

        @Key(
                value = "serve.wait-timeout",
                byDefault = "8h",
                min = "1s",
                max = "365d",
                about = "A session without a binlog dump that sends no statement for this long is ended"
                        + " with error 4031; a client may change the time for its session with SET"
                        + " wait_timeout.")
        Duration idle,

        @Key(
                value = "serve.statement-bytes",
                byDefault = "1MiB",
                min = "16KiB",
                max = "64MiB",
                about = "Maximum length of a statement, shown as max_allowed_packet (with serve.select=true"
                        + " serve.select.row is shown if it is larger); a longer one fails"
                        + " with error 1153.")
        ByteSize statement,

        @Key(
                value = "serve.session-memory",
                byDefault = "4MiB",
                min = "64KiB",
                max = "1GiB",
                about = "Maximum memory of one session for its user variables, its prepared statements"
                        + " and the packets that are sent; above it statements fail with error 3170.")
        ByteSize session,

        @Key(
                value = "serve.memory",
                byDefault = "64MiB",
                min = "1MiB",
                max = "16GiB",
                about = "Maximum memory of all sessions together for user variables, prepared"
                        + " statements, packets and large results; above it statements fail with error"
                        + " 3170. The first 16KiB of each session are not counted.")
        ByteSize all) {
    /** Maximum size of a dump's GTID set, for a user with the right replication. */
    private static final int DUMP_BYTES = 16 << 20;

    /** These limits in the form of the server's settings. */
    ServerSettings.Limits on(ServerSettings.Limits others) {
        int longest = Math.toIntExact(statement.bytes());
        long ofAll = Math.max(session.bytes(), all.bytes());
        return others.with(new ServerSettings.Sessions(connections, reserved, ofUser, idle))
                .with(new ServerSettings.Memory(longest, Math.max(longest, DUMP_BYTES), session.bytes(), ofAll));
    }
}
