package io.tributary.seed.verify;

import java.math.BigInteger;

/**
 * What is compared of a set of rows. The sum, other than XOR, also counts equal rows of a table without a key.
 *
 * @param rows their number
 * @param sum the sum of their 64-bit hashes
 */
public record RowDigest(long rows, BigInteger sum) {
    static final RowDigest NONE = new RowDigest(0, BigInteger.ZERO);

    /** The digest of both sets. */
    RowDigest plus(RowDigest other) {
        return new RowDigest(rows + other.rows, sum.add(other.sum));
    }
}
