package io.tributary.mysql.event.xa;

import io.tributary.common.error.TributaryException;
import io.tributary.common.value.Xid;
import io.tributary.mysql.event.Malformed;
import io.tributary.mysql.event.Text;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

/** A cursor over the text of an XA statement. */
final class XaText {
    private final ByteBuffer view;
    private final int at;
    private final int begin;
    private final int end;
    private int from;

    XaText(ByteBuffer view, int at, int begin, int end) {
        this.view = view;
        this.at = at;
        this.begin = begin;
        this.end = end;
        this.from = begin;
    }

    XaStatement statement() {
        if (!word("XA")) {
            throw expected("XA");
        }
        XaStatement.Verb verb = verb();
        byte[] gtrid = string();
        byte[] bqual = {};
        int formatId = 1;
        if (accept(',')) {
            bqual = string();
            if (accept(',')) {
                formatId = formatId();
            }
        }
        if (gtrid.length > 64 || bqual.length > 64) {
            throw expected("gtrid and bqual of at most 64 bytes each");
        }
        boolean onePhase = verb == XaStatement.Verb.COMMIT && word("ONE");
        if (onePhase && !word("PHASE")) {
            throw expected("PHASE");
        }
        accept(';');
        if (from < end) {
            throw expected("the end");
        }
        return new XaStatement(verb, new Xid(gtrid, bqual, formatId), onePhase);
    }

    private XaStatement.Verb verb() {
        if (word("START") || word("BEGIN")) {
            return XaStatement.Verb.START;
        }
        for (XaStatement.Verb verb : XaStatement.Verb.values()) {
            if (word(verb.name())) {
                return verb;
            }
        }
        throw expected("START, END, PREPARE, COMMIT or ROLLBACK");
    }

    private boolean word(String upperCase) {
        int after = from + upperCase.length();
        boolean there = Text.startsWith(view, from, end, upperCase) && (after >= end || !isWord(view.get(after)));
        if (there) {
            from = after;
            skipSpace();
        }
        return there;
    }

    private boolean accept(char c) {
        boolean there = from < end && view.get(from) == c;
        if (there) {
            from++;
            skipSpace();
        }
        return there;
    }

    private byte[] string() {
        if (Text.startsWith(view, from, end, "X'")) {
            from += 2;
            byte[] bytes = hex();
            if (!accept('\'')) {
                throw expected("a quote after the hexadecimal digits");
            }
            return bytes;
        }
        if (Text.startsWith(view, from, end, "0X")) {
            from += 2;
            byte[] bytes = hex();
            skipSpace();
            return bytes;
        }
        if (from < end && (view.get(from) == '\'' || view.get(from) == '"')) {
            return quoted(view.get(from));
        }
        throw expected("X'..', 0x.. or '..'");
    }

    private byte[] hex() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        while (from < end && Character.digit(view.get(from), 16) >= 0) {
            if (from + 1 == end || Character.digit(view.get(from + 1), 16) < 0) {
                throw expected("an even number of hexadecimal digits");
            }
            bytes.write(Character.digit(view.get(from), 16) << 4 | Character.digit(view.get(from + 1), 16));
            from += 2;
        }
        return bytes.toByteArray();
    }

    private byte[] quoted(byte quote) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        from++;
        while (from < end) {
            byte b = view.get(from++);
            if (b == quote) {
                if (from == end || view.get(from) != quote) {
                    skipSpace();
                    return bytes.toByteArray();
                }
                from++;
            } else if (b == '\\' && from < end) {
                b = view.get(from++);
            }
            bytes.write(b);
        }
        throw expected("a closing quote");
    }

    private int formatId() {
        long value = 0;
        int digits = from;
        while (from < end && view.get(from) >= '0' && view.get(from) <= '9' && value <= 0xffff_ffffL) {
            value = value * 10 + view.get(from++) - '0';
        }
        if (digits == from || value > 0xffff_ffffL) {
            throw expected("a formatID of 0..2^32-1");
        }
        skipSpace();
        return (int) value;
    }

    private void skipSpace() {
        while (from < end && isSpace(view.get(from))) {
            from++;
        }
    }

    static boolean isSpace(byte b) {
        return b == ' ' || (b >= '\t' && b <= '\r');
    }

    private static boolean isWord(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_';
    }

    private TributaryException expected(String text) {
        String found = Text.utf8(view, begin, Math.min(end, begin + 200));
        return Malformed.event(view, at, text + " at character " + (from - begin) + " of an XA statement", found);
    }
}
