package io.tributary.extractor.check;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;

/**
 * One problem of a shard.
 *
 * @param code the error code with which a start fails because of it
 * @param isWarning whether the start continues nevertheless
 * @param shard the shard's name
 * @param what the setting, right or fact
 * @param expected its required value
 * @param found its actual value
 * @param remedy the statement that corrects it, or another action
 */
public record ShardProblem(
        ErrorCode code, boolean isWarning, String shard, String what, String expected, String found, String remedy) {
    /** The problem of one of the shard's servers: a server that does not answer, or is read-only, may become the primary later. */
    ShardProblem at(HostPort address) {
        return new ShardProblem(
                what.equals(ShardRequirements.READ_ONLY) ? ErrorCode.SHARD_UNREACHABLE : code,
                isWarning,
                shard + " at " + address,
                what,
                expected,
                found,
                remedy);
    }

    /** One line for an operator. */
    @Override
    public String toString() {
        return "shard " + shard + ": " + (isWarning ? "warning: " : "") + what + ": expected " + expected + ", found "
                + found + " | " + remedy;
    }
}
