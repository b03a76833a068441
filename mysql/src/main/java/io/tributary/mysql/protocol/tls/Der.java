package io.tributary.mysql.protocol.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Encodes the ASN.1 values of a certificate in DER (ITU-T X.690). */
final class Der {
    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int GENERALIZED_TIME = 0x18;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, parts);
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, parts);
    }

    static byte[] integer(BigInteger value) {
        return tagged(INTEGER, value.toByteArray());
    }

    static byte[] bits(byte[] bytes) {
        return tagged(BIT_STRING, new byte[] {0}, bytes);
    }

    static byte[] octets(byte[] bytes) {
        return tagged(OCTET_STRING, bytes);
    }

    static byte[] text(String text) {
        return tagged(UTF8_STRING, text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param text as {@code 20260101000000Z} */
    static byte[] time(String text) {
        return tagged(GENERALIZED_TIME, text.getBytes(StandardCharsets.US_ASCII));
    }

    /** @param hex the identifier's encoding */
    static byte[] identifier(String hex) {
        return tagged(OID, java.util.HexFormat.of().parseHex(hex));
    }

    /** Any other tag: {@code 0xa0} for [0] EXPLICIT, {@code 0x82} for [2] IMPLICIT of a primitive value. */
    static byte[] tagged(int tag, byte[]... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        int length = content.size();
        if (length < 0x80) {
            out.write(length);
        } else if (length < 0x100) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >> 8);
            out.write(length);
        }
        out.writeBytes(content.toByteArray());
        return out.toByteArray();
    }
}
