package io.tributary.extractor;

import io.tributary.common.config.HostPort;
import io.tributary.common.error.ErrorCode;

/**
 * One thing that is wrong with a shard.
 *
 * @param code what a start fails with because of it
 * @param isWarning whether the start goes on all the same
 * @param shard the shard's name
 * @param what the setting, right or fact
 * @param expected what it has to be
 * @param found what it is
 * @param remedy the statement that mends it, or what to do
 */
public record ShardProblem(
        ErrorCode code, boolean isWarning, String shard, String what, String expected, String found, String remedy) {
    /** The same of one of the shard's servers: a server that does not answer, or takes no writes, may be in charge later. */
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
