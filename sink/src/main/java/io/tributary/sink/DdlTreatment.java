package io.tributary.sink;

/**
 * Where statements that change tables are sent.
 *
 * @param kind the choice
 * @param topic for {@link Kind#TOPIC}, else ""
 */
public record DdlTreatment(Kind kind, String topic) {
    /** The choices. */
    public enum Kind {
        /** To all partitions of the topic of the table. */
        ALL,
        /** To the first partition of the topic of the table. */
        FIRST,
        /** To the first partition of one topic for all statements. */
        TOPIC,
        /** Nowhere. */
        NONE
    }

    /** To all partitions of the topic of the table. */
    public static final DdlTreatment ALL = new DdlTreatment(Kind.ALL, "");

    /** To the first partition of the topic of the table. */
    public static final DdlTreatment FIRST = new DdlTreatment(Kind.FIRST, "");

    /** Nowhere. */
    public static final DdlTreatment NONE = new DdlTreatment(Kind.NONE, "");

    /** To the first partition of one topic for all statements. */
    public static DdlTreatment to(String topic) {
        return new DdlTreatment(Kind.TOPIC, topic);
    }
}
