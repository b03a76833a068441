package io.tributary.common.value;

import io.tributary.common.gtid.Gtid;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A transaction that cannot stand in the binlog and that an operator may leave out: what the message of a refusal ends with, written here and
 * read here, as such a message may have come from another node.
 *
 * @param shard the shard's name
 */
public record RefusedTransaction(String shard, Gtid gtid) {
    private static final String COMMAND = "tributary shard skip ";
    private static final Pattern IN_MESSAGE = Pattern.compile(COMMAND + "(\\S+) --gtid (\\S+) -c FILE");

    /** The command that leaves it out. */
    public String command() {
        return COMMAND + shard + " --gtid " + gtid + " -c FILE";
    }

    /** What a message names; empty where it tells of something else. */
    public static Optional<RefusedTransaction> in(String message) {
        Matcher matcher = IN_MESSAGE.matcher(message);
        return matcher.find()
                ? Optional.of(new RefusedTransaction(matcher.group(1), Gtid.parse(matcher.group(2))))
                : Optional.empty();
    }
}
