package io.tributary.apply;

import io.tributary.common.gtid.GtidSet;
import io.tributary.replay.session.Peer;
import java.util.Optional;

/**
 * What an applier does.
 *
 * @param name of the progress on the target; also distinguishes its connection to the node from others
 * @param target where transactions are applied
 * @param names the tables that are applied
 * @param start transactions that are not applied, beside those that the target has executed with their GTIDs; used once, if the target has no progress
 * @param settings how it is done
 */
public record ApplyPlan(String name, Peer target, ApplyNames names, Optional<GtidSet> start, Settings settings) {
    /**
     * How transactions are applied.
     *
     * @param backend how rows are sent
     * @param order what readers of the target see
     * @param dependency how it is decided what runs at the same time
     * @param overwrites whether rows may have been applied before: they overwrite what is in their way
     * @param limits of one run
     */
    public record Settings(
            ApplyBackend backend, ApplyOrder order, ApplyDependency dependency, boolean overwrites, Limits limits) {}

    /**
     * Limits of a run.
     *
     * @param sessions on the target, at least 1
     * @param batch maximum transactions that are applied together
     * @param group maximum transactions between two points at which {@link ApplyOrder#GROUP} waits
     * @param bytes of transactions in memory
     */
    public record Limits(int sessions, int batch, int group, long bytes) {}
}
