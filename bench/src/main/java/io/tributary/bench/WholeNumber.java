package io.tributary.bench;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses {@code int} options of benches: whole numbers of at least 1. */
public final class WholeNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new TypeConversionException("expected a whole number above 0, found " + text);
        }
        return Integer.valueOf(text);
    }
}
