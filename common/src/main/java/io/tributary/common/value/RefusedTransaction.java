package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;

/**
 * A transaction that cannot be written to the output and that an operator may leave out.
 *
 * @param shard the shard's name
 */
public record RefusedTransaction(String shard, Gtid gtid) {
    private static final String COMMAND = "tributary shard skip ";

    /** The command that leaves it out. */
    public String command() {
        return COMMAND + shard + " --gtid " + gtid + " -c FILE";
    }
}
