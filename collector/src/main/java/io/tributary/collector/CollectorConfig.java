package io.tributary.collector;

import io.tributary.common.config.Key;
import java.time.Duration;

/**
 * The configuration keys of ordering and of the preparation of output transactions.
 *
 * @param ddl schema changes
 * @param batch encoding
 */
public record CollectorConfig(
        @Key(
                value = "order.indoubt.warn",
                byDefault = "10s",
                min = "100ms",
                max = "1d",
                about = "A distributed transaction that is not complete after this time is reported in the log.")
        Duration inDoubtWarn,

        DdlConfig ddl,

        @Key(
                value = "binlog.parallel",
                byDefault = "writeset",
                about = "What replicas may apply in parallel: writeset (transactions that change different keys),"
                        + " shards (what the shards report; rows do not move between shards in local transactions)"
                        + " or none.")
        BinlogParallel parallel,

        @Key(
                value = "binlog.cut.idle",
                byDefault = "1s",
                min = "10ms",
                max = "1h",
                about = "How often a cut is written while no transaction arrives.")
        Duration idleCutInterval,

        BatchConfig batch) {}
