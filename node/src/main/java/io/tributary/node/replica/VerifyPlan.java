package io.tributary.node.replica;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.mysql.protocol.client.Endpoint;
import io.tributary.replay.session.Peer;
import io.tributary.seed.change.SearchLimits;
import io.tributary.seed.verify.VerifyOptions;
import io.tributary.serve.filter.TableFilter;
import java.time.Duration;

/**
 * What one comparison does.
 *
 * @param tables that are compared
 * @param threads tables that are compared at the same time; each uses a session on the replica and one on each shard
 * @param search for the last changes of what was found
 */
public record VerifyPlan(Peer replica, TableFilter tables, VerifyOptions options, int threads, SearchLimits search) {
    private static final Duration STATEMENT_TIMEOUT = Duration.ofHours(1);
    private static final Duration SEARCH_TIME = Duration.ofMinutes(2);
    private static final int MOST_FINDINGS = 100;
    private static final int MOST_SEARCHED = 1_000;

    /** A server as a replica that is compared. */
    public static Peer replica(Endpoint endpoint) {
        return Peer.target(endpoint, STATEMENT_TIMEOUT);
    }

    /**
     * A comparison of the schedule: one table after another; nothing is locked, shown or repaired.
     *
     * @throws TributaryException CONFIG_INVALID for patterns of tables that are none
     */
    static VerifyPlan of(HostPort replica, VerifyConfig keys) {
        VerifyConfig.VerifyLimits limits = keys.limits();
        return new VerifyPlan(
                replica(keys.endpoint(replica)),
                tables(keys),
                new VerifyOptions(
                        new VerifyOptions.Volume(
                                limits.chunk(), limits.sample(), limits.maxLoad(), MOST_FINDINGS, limits.rate()),
                        VerifyOptions.Mode.PLAIN,
                        limits.lag()),
                1,
                new SearchLimits(limits.search().bytes(), SEARCH_TIME, MOST_SEARCHED));
    }

    /** The tables of a configuration; throws as {@link #of} does. */
    static TableFilter tables(VerifyConfig keys) {
        try {
            return keys.tables().map(TableFilter::parse).orElse(TableFilter.ALL);
        } catch (IllegalArgumentException e) {
            throw new TributaryException(ErrorCode.CONFIG_INVALID, "verify.tables: " + e.getMessage(), e);
        }
    }
}
