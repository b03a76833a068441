package io.tributary.node.command.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The form in which a command prints facts. */
public enum OutputForm {
    /** Columns and lines for people. */
    TABLE,
    /** One JSON value (RFC 8259). */
    JSON,
    /** One YAML document, with the same content as JSON. */
    YAML;

    /** Reads the value of {@code -o}; {@code text} is the former name of {@code table}. */
    static final class Converter implements ITypeConverter<OutputForm> {
        @Override
        public OutputForm convert(String text) {
            String wanted = text.equalsIgnoreCase("text") ? TABLE.name() : text;
            return Arrays.stream(values())
                    .filter(form -> form.name().equalsIgnoreCase(wanted))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "expected one of " + new Candidates() + ", found '" + text + "'"));
        }
    }

    /** The values that a shell completes. */
    static final class Candidates extends ArrayList<String> {
        Candidates() {
            super(List.of("table", "json", "yaml"));
        }

        @Override
        public String toString() {
            return String.join(", ", this).toLowerCase(Locale.ROOT);
        }
    }
}
