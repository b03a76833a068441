package io.tributary.common.config;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares one configuration key on a record component. The component's type is one of String, int, long, boolean, double, an enum,
 * {@link java.time.Duration} ({@code 50ms}, {@code 3s}), {@link ByteSize} ({@code 512MiB}), {@link HostPort},
 * {@link java.nio.file.Path}, {@link java.util.regex.Pattern}, {@link Secret}, a List of these (comma-separated), an Optional of these
 * (absent if not set), or {@code Map<String, R>} with a record R of keys ({@code shard.<name>.host}): then {@link #value()} is the prefix.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Key {
    /** The key's name, such as {@code binlog.sync}; in a record of a Map family relative to the prefix and name. */
    String value();

    /** The default as text; if it is empty and {@link #required()} is true, the key must be set. */
    String byDefault() default "";

    boolean required() default false;

    /** Lower bound, inclusive, as text of the component's type; empty = none. */
    String min() default "";

    /** Upper bound, inclusive, as text of the component's type; empty = none. */
    String max() default "";

    /** Whether its value is never printed. */
    boolean secret() default false;

    /** Whether a running node applies a new value when it reads its file again ({@code tributary reload}); otherwise the next start does. */
    boolean live() default false;

    /** The key's name in the previous version, which is still accepted, with a warning; empty = none. */
    String formerly() default "";

    /** One sentence for docs/configuration.md. */
    String about();
}
