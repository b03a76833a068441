package io.tributary.common.value;

import java.util.Locale;

/**
 * An operator's decision about a statement or a held transaction ({@code tributary ddl}).
 *
 * @param verb the action
 * @param id the id of the statement or question, as {@code ddl list} shows it
 * @param member the member whose statement is meant (IGNORE), as {@link Member#toString()} writes it; otherwise ""
 * @param acceptsLoss whether rows may be lost by it
 * @param text the statement that is written instead (TEXT); otherwise ""
 */
public record DdlDecision(Verb verb, String id, String member, boolean acceptsLoss, String text) {
    /** A decision whose verb needs no text. */
    public DdlDecision(Verb verb, String id, String member, boolean acceptsLoss) {
        this(verb, id, member, acceptsLoss, "");
    }

    /** The possible actions. */
    public enum Verb {
        /** Write a waiting statement now. */
        EMIT,
        /** Let the statement change this member only: it is not written. */
        IGNORE,
        /** Do not wait for the members that lack it. */
        DONE,
        /** Leave the held transaction or statement out; the binlog records it as {@code shard skip} does. */
        SKIP,
        /** Write another statement in place of the one for which a shard is held. */
        TEXT;

        /** The verb as the command line writes it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
