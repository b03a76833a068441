package io.tributary.bench;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the whole number, at least 1, that every {@code int} option of a bench is. */
public final class WholeNumber implements ITypeConverter<Integer> {
    @Override
    public Integer convert(String text) {
        if (!text.matches("[1-9]\\d{0,8}")) {
            throw new TypeConversionException("expected a whole number above 0, came " + text);
        }
        return Integer.valueOf(text);
    }
}
