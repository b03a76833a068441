package io.tributary.serve.select;

import io.tributary.mysql.protocol.ResultColumnType;
import io.tributary.serve.select.TableSelect.Item;
import io.tributary.serve.select.TableSelect.Kind;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** MIN, MAX or COUNT of values that are added one after another. */
final class Aggregate {
    private final Item item;
    private byte[] value; // null for NULL
    private Object valueKey; // as ValueOrder compares it

    Aggregate(Item item) {
        this.item = item;
    }

    /**
     * Adds a value, or the aggregate of a member.
     *
     * @param added null for NULL, which does not count
     * @param key what is compared: the value, or the weights of a text
     * @param type of the key
     */
    void add(byte[] added, byte[] key, ResultColumnType type) {
        if (added == null) {
            return;
        }
        if (item.kind() == Kind.COUNT) {
            value = value == null
                    ? added
                    : number(value).add(number(added)).toString().getBytes(StandardCharsets.US_ASCII);
            return;
        }
        ValueOrder values = ValueOrder.of(item.argument(), type);
        Object addedKey = values.key(key);
        int order = value == null ? 0 : values.compare(addedKey, valueKey);
        if (value == null || (item.kind() == Kind.MIN ? order < 0 : order > 0)) {
            value = added;
            valueKey = addedKey;
        }
    }

    private static BigInteger number(byte[] text) {
        return new BigInteger(new String(text, StandardCharsets.US_ASCII));
    }

    byte[] value() {
        return value;
    }
}
