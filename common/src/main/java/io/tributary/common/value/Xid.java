package io.tributary.common.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * The identity of one branch of a distributed transaction, compared by value: gtrid and bqual are bytes (1..64 and 0..64), and
 * the formatID is part of the identity (MySQL manual, "XA Transaction SQL Statements").
 */
public final class Xid {
    private static final byte[] NO_BQUAL = {};
    private static final long MIX = 0x9e37_79b9_7f4a_7c15L;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] gtrid;
    private final byte[] bqual;
    private final int formatId;
    private final int globalHash;
    private final int hash;

    /** Takes ownership of the arrays: the caller must not change them afterwards. */
    public Xid(byte[] gtrid, byte[] bqual, int formatId) {
        if (gtrid.length > 64 || bqual.length > 64) {
            throw new IllegalArgumentException("expected an XID with gtrid and bqual of at most 64 bytes each, found "
                    + gtrid.length + " and " + bqual.length);
        }
        this.gtrid = gtrid;
        this.bqual = bqual;
        this.formatId = formatId;
        this.globalHash = hash(gtrid, formatId);
        this.hash = hash(bqual, globalHash);
    }

    private Xid(byte[] gtrid, int formatId, int hash) {
        this.gtrid = gtrid;
        this.bqual = NO_BQUAL;
        this.formatId = formatId;
        this.globalHash = hash;
        this.hash = hash(NO_BQUAL, hash);
    }

    /** Gtrids mostly differ in a counter's digits, which would collide with the factor 31. */
    private static int hash(byte[] bytes, int seed) {
        long hash = seed + (long) bytes.length * MIX;
        int at = 0;
        for (; at <= bytes.length - Long.BYTES; at += Long.BYTES) {
            hash = (hash ^ (long) LONG.get(bytes, at)) * MIX;
            hash ^= hash >>> 32;
        }
        for (; at < bytes.length; at++) {
            hash = (hash ^ bytes[at]) * MIX;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }

    /** A view; must not be changed. */
    public byte[] gtrid() {
        return gtrid;
    }

    /** A view; must not be changed. */
    public byte[] bqual() {
        return bqual;
    }

    /** As in XA statements; its 32 bits signed. */
    public int formatId() {
        return formatId;
    }

    /** The identity of the distributed transaction to which this branch belongs: gtrid and formatID without bqual. */
    public Xid global() {
        return bqual.length == 0 ? this : new Xid(gtrid, formatId, globalHash);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Xid xid
                && hash == xid.hash
                && formatId == xid.formatId
                && Arrays.equals(gtrid, xid.gtrid)
                && Arrays.equals(bqual, xid.bqual);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** The form of MySQL's XA statements: {@code 'text','text',1}, or {@code X'hex'} if a part is not printable. */
    @Override
    public String toString() {
        return part(gtrid) + "," + part(bqual) + "," + formatId;
    }

    private static String part(byte[] bytes) {
        for (byte b : bytes) {
            if (b < 0x20 || b == 0x7f || b == '\'' || b == '\\') {
                return "X'" + HexFormat.of().formatHex(bytes) + "'";
            }
        }
        return "'" + new String(bytes, StandardCharsets.US_ASCII) + "'";
    }
}
