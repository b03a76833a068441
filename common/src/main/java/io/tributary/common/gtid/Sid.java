package io.tributary.common.gtid;

import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The source of a GTID: a server's UUID and, since MySQL 8.3, a tag (MySQL's "TSID").
 *
 * @param uuid the server's UUID
 * @param tag up to 32 of {@code [a-z0-9_]}, no digit first, in lower case; "" = no tag
 */
public record Sid(UUID uuid, String tag) implements Comparable<Sid> {
    /** Length of the longest tag, in bytes. */
    public static final int MAX_TAG_LENGTH = 32;

    private static final Pattern TAG = Pattern.compile("[a-z_][a-z0-9_]{0,31}");

    /** Checks the tag and converts it to lower case. */
    public Sid {
        Objects.requireNonNull(uuid, "uuid");
        if (!tag.isEmpty()) {
            tag = tag.toLowerCase(Locale.ROOT);
            if (!TAG.matcher(tag).matches()) {
                throw new IllegalArgumentException(
                        "expected a GTID tag of up to 32 letters, digits and underscores, no digit first, found '" + tag
                                + "'");
            }
        }
    }

    /** A source id without a tag. */
    public Sid(UUID uuid) {
        this(uuid, "");
    }

    /**
     * Reads {@code uuid} or {@code uuid:tag}.
     *
     * @throws IllegalArgumentException with what was expected and found
     */
    public static Sid parse(String text) {
        GtidText in = new GtidText(text);
        UUID uuid = in.uuid();
        String tag = in.accept(':') ? in.tag() : "";
        in.expectEnd();
        return new Sid(uuid, tag);
    }

    /** MySQL's order: by the UUID's bytes, then by tag; the untagged first. */
    @Override
    public int compareTo(Sid other) {
        int order = Long.compareUnsigned(uuid.getMostSignificantBits(), other.uuid.getMostSignificantBits());
        if (order == 0) {
            order = Long.compareUnsigned(uuid.getLeastSignificantBits(), other.uuid.getLeastSignificantBits());
        }
        return order == 0 ? tag.compareTo(other.tag) : order;
    }

    /** {@code uuid} or {@code uuid:tag}. */
    @Override
    public String toString() {
        return tag.isEmpty() ? uuid.toString() : uuid + ":" + tag;
    }
}
