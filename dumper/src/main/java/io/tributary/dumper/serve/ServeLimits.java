package io.tributary.dumper.serve;

import io.tributary.common.config.ByteSize;
import io.tributary.common.config.Key;
import io.tributary.mysql.protocol.server.ServerSettings;
import java.time.Duration;

/** How many readers there may be, and what they may hold, so that none of them takes what the others need. */
public record ServeLimits(
        @Key(
                value = "serve.connections",
                byDefault = "1024",
                min = "1",
                max = "65535",
                about = "Sessions at most; a further one is refused with error 1040.")
        int connections,

        @Key(
                value = "serve.reserved-connections",
                byDefault = "4",
                min = "0",
                max = "1024",
                about = "So many sessions more for users with the right admin.")
        int reserved,

        @Key(
                value = "serve.user-connections",
                byDefault = "256",
                min = "0",
                max = "65535",
                about =
                        "Sessions at most of one user without the right admin whose account has no limit of its own; a further one is"
                                + " refused with error 1226. 0: as many as serve.connections.")
        int ofUser,

        @Key(
                value = "serve.wait-timeout",
                byDefault = "8h",
                min = "1s",
                max = "365d",
                about =
                        "A session without a dump that sends no statement for so long is ended with error 4031; clients may set"
                                + " another time for themselves with SET wait_timeout.")
        Duration idle,

        @Key(
                value = "serve.statement-bytes",
                byDefault = "1MiB",
                min = "16KiB",
                max = "64MiB",
                about = "Longest statement, shown as max_allowed_packet; a longer one fails with error 1153.")
        ByteSize statement,

        @Key(
                value = "serve.session-memory",
                byDefault = "4MiB",
                min = "64KiB",
                max = "1GiB",
                about =
                        "What one session may hold: its user variables, its prepared statements and what is being sent; past it"
                                + " statements fail with error 3170.")
        ByteSize session,

        @Key(
                value = "serve.memory",
                byDefault = "64MiB",
                min = "1MiB",
                max = "16GiB",
                about =
                        "What all sessions together may hold of that, and of large answers; past it statements fail with error 3170. The"
                                + " first 16KiB of each session are not counted.")
        ByteSize all) {
    /** What a dump's GTID set may take, whose user has the right replication. */
    private static final int DUMP_BYTES = 16 << 20;

    /** As the server wants them. */
    ServerSettings.Limits on(ServerSettings.Limits others) {
        int longest = Math.toIntExact(statement.bytes());
        long ofAll = Math.max(session.bytes(), all.bytes());
        return others.with(new ServerSettings.Sessions(connections, reserved, ofUser, idle))
                .with(new ServerSettings.Memory(longest, Math.max(longest, DUMP_BYTES), session.bytes(), ofAll));
    }
}
