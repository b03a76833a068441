package io.tributary.schema.read;

/** A number in a statement, which the scanner splits at its decimal point and at the sign of its exponent. */
final class NumberText {
    private NumberText() {}

    /** Reads the number here, without a leading sign; returns its text. */
    static String read(Cursor cursor) {
        boolean pointFirst = cursor.isSign('.');
        StringBuilder text = new StringBuilder(pointFirst ? "0" : cursor.next().value());
        if (pointFirst || (cursor.isSign('.') && cursor.isAdjacent())) {
            text.append(cursor.next().value());
            boolean digits = cursor.isName() && cursor.isAdjacent();
            text.append(digits ? cursor.next().value() : "0");
        }
        boolean hex = text.length() > 1 && Character.toLowerCase(text.charAt(1)) == 'x';
        boolean exponent = Character.toLowerCase(text.charAt(text.length() - 1)) == 'e' && !hex;
        if (exponent && cursor.isAdjacent() && (cursor.isSign('-') || cursor.isSign('+'))) {
            text.append(cursor.next().value()).append(cursor.next().value());
        }
        return text.toString();
    }
}
