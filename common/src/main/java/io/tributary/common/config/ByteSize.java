package io.tributary.common.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, written as {@code 512MiB}, {@code 64KiB}, {@code 2GiB} or {@code 100B}. */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,18})\\s*(B|KIB|MIB|GIB|TIB)?");

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("expected a size of 0 bytes or more, found " + bytes);
        }
    }

    /** @throws IllegalArgumentException if the text is not a size */
    public static ByteSize parse(String text) {
        Matcher matcher = TEXT.matcher(text.trim().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new IllegalArgumentException("expected a size such as 512MiB, 64KiB or 100B, found '" + text + "'");
        }
        int shift =
                matcher.group(2) == null ? 0 : "BKMGT".indexOf(matcher.group(2).charAt(0)) * 10;
        return new ByteSize(Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift));
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }

    @Override
    public String toString() {
        for (int unit = 4; unit > 0; unit--) {
            if (bytes >= 1L << unit * 10 && bytes % (1L << unit * 10) == 0) {
                return (bytes >> unit * 10) + "" + "BKMGT".charAt(unit) + "iB";
            }
        }
        return bytes + "B";
    }
}
