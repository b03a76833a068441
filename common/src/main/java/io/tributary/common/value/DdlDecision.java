package io.tributary.common.value;

import java.util.Locale;

/**
 * What an operator ordered for a statement or a held transaction ({@code tributary ddl}).
 *
 * @param verb what to do
 * @param id the statement's or question's id, as {@code ddl list} shows it
 * @param member the member whose arrival is meant (IGNORE), as {@link Member#toString()} writes it; else ""
 * @param acceptsLoss whether rows may be lost by it
 * @param text what is written in place of the statement (TEXT); else ""
 */
public record DdlOrder(Verb verb, String id, String member, boolean acceptsLoss, String text) {
    /** Of a verb that needs no text. */
    public DdlOrder(Verb verb, String id, String member, boolean acceptsLoss) {
        this(verb, id, member, acceptsLoss, "");
    }

    /** What can be ordered. */
    public enum Verb {
        /** Write a waiting statement now. */
        EMIT,
        /** Let the statement change this member only: nothing is written. */
        IGNORE,
        /** Do not wait for the members that lack it. */
        DONE,
        /** Leave the held transaction or statement out, recorded in the binlog as {@code shard skip} does. */
        SKIP,
        /** Write another statement in place of the one at which a shard is held. */
        TEXT;

        /** As the command line has it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
