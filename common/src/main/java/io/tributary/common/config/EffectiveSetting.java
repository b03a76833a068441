package io.tributary.common.config;

/**
 * The value of one key in a configuration, and where it comes from.
 *
 * @param key full name, with the member's name in a family: {@code shard.s1.host}
 * @param value as text, with placeholders replaced; {@value #HIDDEN} for a secret that is set, "" for a key that is not set and has no default
 * @param origin {@code default}, {@code command line} or {@code line 12}; with the environment variables and files of its placeholders
 * @param declared the declaration of the key
 */
public record EffectiveSetting(String key, String value, String origin, Key declared) {
    /** Stands for the value of a secret. */
    public static final String HIDDEN = "***";

    /** The origin of a value that nothing sets. */
    public static final String DEFAULT = "default";

    /** Whether it is set in the file or on the command line. */
    public boolean isSet() {
        return !origin.equals(DEFAULT);
    }

    /** Whether it is a member of a family such as {@code shard}. */
    boolean isOfFamily() {
        return !key.equals(declared.value());
    }
}
