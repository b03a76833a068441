package io.tributary.sink.mask;

import io.tributary.changes.ChangeColumn;
import io.tributary.changes.MaskedRows;
import io.tributary.changes.RowImage;
import io.tributary.changes.ValueKind;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The mask {@link ValueMask#HASH}. For one thread. */
final class HashMask implements MaskedRows.Mask {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int HASH_BYTES = 16;

    private final Mac mac;

    HashMask(byte[] key) {
        try {
            mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e); // each JVM has this algorithm
        }
    }

    @Override
    public byte[] of(ChangeColumn column, RowImage image) {
        byte[] value = column.kind() == ValueKind.TEXT
                ? column.characters(image).getBytes(StandardCharsets.UTF_8)
                : column.bytes(image);
        return MaskedText.stored(column, HexFormat.of().formatHex(mac.doFinal(value), 0, HASH_BYTES));
    }
}
