package io.tributary.common.config;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Collectors;

/**
 * Converts text to a value, for each type that a key may have.
 *
 * @param element the type itself, or the element type of a list or an optional
 * @param form how the element is wrapped
 */
record ValueType(Class<?> element, Form form) {
    enum Form {
        SINGLE,
        LIST,
        OPTIONAL
    }

    private static final Pattern DURATION = Pattern.compile("(\\d{1,15})\\s*(us|ms|s|min|h|d)");

    static ValueType of(Type type) {
        if (type instanceof Class<?> single) {
            return new ValueType(single, Form.SINGLE);
        }
        if (type instanceof ParameterizedType generic && generic.getActualTypeArguments()[0] instanceof Class<?> of) {
            if (generic.getRawType() == List.class) {
                return new ValueType(of, Form.LIST);
            }
            if (generic.getRawType() == Optional.class) {
                return new ValueType(of, Form.OPTIONAL);
            }
        }
        throw new IllegalArgumentException("not a configuration type: " + type);
    }

    boolean isSecret() {
        return element == Secret.class;
    }

    /**
     * Converts the whole text.
     *
     * @throws IllegalArgumentException with what was expected; it never contains the text
     */
    Object parse(String text, Key key) {
        return switch (form) {
            case SINGLE -> single(text, key);
            case OPTIONAL -> text.isEmpty() ? Optional.empty() : Optional.of(single(text, key));
            case LIST ->
                text.isEmpty()
                        ? List.of()
                        : Arrays.stream(text.split(",", -1))
                                .map(part -> single(part.strip(), key))
                                .toList();
        };
    }

    private Object single(String text, Key key) {
        Object value;
        try {
            value = read(text);
        } catch (IllegalArgumentException | ArithmeticException e) { // the exceptions of the parsers for a wrong text
            throw new IllegalArgumentException(expectation(key), e);
        }
        if (isBeyond(value, key.min(), 1) || isBeyond(value, key.max(), -1)) {
            throw new IllegalArgumentException(expectation(key));
        }
        return value;
    }

    /** @param sign 1: checks whether the value is less than the bound; -1: whether it is greater */
    @SuppressWarnings("unchecked") // the same parser made the value and the bound, so they are comparable
    private boolean isBeyond(Object value, String bound, int sign) {
        return !bound.isEmpty() && Integer.signum(((Comparable<Object>) value).compareTo(read(bound))) == -sign;
    }

    private Object read(String text) {
        if (element == String.class) {
            return text;
        } else if (element == Secret.class) {
            return new Secret(text);
        } else if (element == int.class || element == Integer.class) {
            return Integer.valueOf(text);
        } else if (element == long.class || element == Long.class) {
            return Long.valueOf(text);
        } else if (element == double.class || element == Double.class) {
            return Double.valueOf(text);
        } else if (element == boolean.class || element == Boolean.class) {
            return readBoolean(text);
        } else if (element == Duration.class) {
            return readDuration(text);
        } else if (element == ByteSize.class) {
            return ByteSize.parse(text);
        } else if (element == HostPort.class) {
            return HostPort.parse(text);
        } else if (element == Path.class) {
            return readPath(text);
        } else if (element == Pattern.class) {
            return readPattern(text);
        }
        return Arrays.stream(constants())
                .filter(constant -> enumText(constant).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no constant of that name"));
    }

    private static Boolean readBoolean(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("neither true nor false");
        }
        return Boolean.valueOf(text);
    }

    private static Duration readDuration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("not a duration");
        }
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "us" -> Duration.ofNanos(Math.multiplyExact(amount, 1000L));
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "min" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }

    private static Path readPath(String text) {
        if (text.isEmpty()) {
            throw new InvalidPathException(text, "empty");
        }
        return Path.of(text);
    }

    private static Pattern readPattern(String text) {
        try {
            return Pattern.compile(text);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("not a regular expression: " + e.getDescription(), e);
        }
    }

    private Object[] constants() {
        Object[] constants = element.getEnumConstants();
        if (constants == null) {
            throw new IllegalStateException("not a configuration type: " + element);
        }
        return constants;
    }

    private static String enumText(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The expected form of a text, for messages and the page, such as {@code a size such as 512MiB, from 1MiB to 1GiB}. */
    String expectation(Key key) {
        String text = (form == Form.LIST ? "a comma-separated list, each " : "") + elementText();
        String from = key.min().isEmpty() ? "" : "from " + key.min();
        String to = key.max().isEmpty() ? "" : (from.isEmpty() ? "up to " : " to ") + key.max();
        return from.isEmpty() && to.isEmpty() ? text : text + ", " + from + to;
    }

    private String elementText() {
        if (element == String.class || element == Secret.class) {
            return "a text";
        } else if (element == int.class || element == long.class || element == Integer.class || element == Long.class) {
            return "a whole number";
        } else if (element == double.class || element == Double.class) {
            return "a number";
        } else if (element == boolean.class || element == Boolean.class) {
            return "true or false";
        } else if (element == Duration.class) {
            return "a duration such as 50ms, 3s, 5min, 1h or 1d";
        } else if (element == ByteSize.class) {
            return "a size such as 64KiB or 512MiB";
        } else if (element == HostPort.class) {
            return "host:port";
        } else if (element == Path.class) {
            return "a path";
        } else if (element == Pattern.class) {
            return "a regular expression";
        }
        return Arrays.stream(constants()).map(ValueType::enumText).collect(Collectors.joining(", ", "one of ", ""));
    }
}
