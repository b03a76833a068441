package io.tributary.schema.keys;

import io.tributary.mysql.charset.Collation;
import io.tributary.mysql.charset.Collations;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The form of the values of a text column by its collation. Collations are left out in which ASCII texts are equal that differ in more than letter
 * case, control characters and spaces at the end: Lithuanian has i = y, for example. {@code KeyCollationsIT} checks this on real servers.
 */
final class KeyCollations {
    /** A space has more than one byte, or bytes below 128 are not ASCII characters. */
    private static final Set<String> OTHER_CHARSETS = Set.of("ucs2", "utf16", "utf16le", "utf32", "swe7");

    /** Collations without rules for a language. */
    private static final Pattern GENERAL = Pattern.compile("(utf8|utf8mb3|utf8mb4)_"
            + "(general_ci|general_mysql500_ci|unicode_ci|unicode_520_ci|0900_ai_ci|0900_as_ci|0900_as_cs"
            + "|uca1400_(nopad_)?(ai|as)_(ci|cs)|general_nopad_ci|unicode_nopad_ci|unicode_520_nopad_ci)");

    /** Collations without other equal ASCII characters than letters: gbk_chinese_ci is left out because it has Y = ~. */
    private static final Set<String> OF_BYTES = Set.of(
            "ascii_general_ci",
            "latin1_swedish_ci",
            "latin1_general_ci",
            "latin1_general_cs",
            "latin1_german1_ci",
            "latin2_general_ci",
            "latin5_turkish_ci",
            "latin7_general_ci",
            "cp1250_general_ci",
            "cp1251_general_ci",
            "cp1256_general_ci",
            "cp1257_general_ci",
            "cp850_general_ci",
            "cp852_general_ci",
            "cp866_general_ci",
            "koi8r_general_ci",
            "greek_general_ci",
            "hebrew_general_ci",
            "gb18030_chinese_ci",
            "sjis_japanese_ci",
            "cp932_japanese_ci",
            "ujis_japanese_ci",
            "eucjpms_japanese_ci",
            "euckr_korean_ci");

    private KeyCollations() {}

    /** The form of texts with this collation; empty if their equality is not known. */
    static Optional<KeyForm> formOf(String collation) {
        String name = collation.toLowerCase(Locale.ROOT);
        int end = name.indexOf('_');
        if (name.isEmpty() || OTHER_CHARSETS.contains(end < 0 ? name : name.substring(0, end))) {
            return Optional.empty();
        }
        if (name.equals("binary") || name.endsWith("_bin")) {
            return Optional.of(KeyForm.TEXT);
        }
        boolean isKnown = GENERAL.matcher(name).matches() || OF_BYTES.contains(name);
        return isKnown ? Optional.of(KeyForm.FOLDED_TEXT) : Optional.empty();
    }

    /** Whether values of one collation have the same bytes in the other, and the same form; true if the number is not known. */
    static boolean isSameForm(String collation, int number) {
        Optional<Collation> other = Collations.of(number);
        Optional<Collation> own = Collations.named(collation);
        return other.isEmpty()
                || own.isEmpty()
                || own.get().charset().equals(other.get().charset())
                        && formOf(own.get().name()).equals(formOf(other.get().name()));
    }
}
