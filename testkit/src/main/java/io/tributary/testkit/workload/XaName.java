package io.tributary.testkit.workload;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/** The name of an XA branch as SQL text; gtrid and bqual are bytes. */
record XaName(byte[] gtrid, byte[] bqual, long formatId) {
    static XaName of(String gtrid, String bqual) {
        return new XaName(gtrid.getBytes(StandardCharsets.UTF_8), bqual.getBytes(StandardCharsets.UTF_8), 1);
    }

    /** As it stands behind XA START and the like. */
    String sql() {
        HexFormat hex = HexFormat.of();
        return "X'" + hex.formatHex(gtrid) + "',X'" + hex.formatHex(bqual) + "'," + formatId;
    }

    /** Whether a row of XA RECOVER CONVERT XID is this branch. */
    boolean isIn(Map<String, String> row) {
        String both = "0x" + HexFormat.of().withUpperCase().formatHex(gtrid)
                + HexFormat.of().withUpperCase().formatHex(bqual);
        return both.equalsIgnoreCase(row.get("data"))
                && Long.parseLong(row.get("formatID")) == formatId
                && Integer.parseInt(row.get("gtrid_length")) == gtrid.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof XaName name
                && Arrays.equals(gtrid, name.gtrid)
                && Arrays.equals(bqual, name.bqual)
                && formatId == name.formatId;
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(gtrid) * 31 + Arrays.hashCode(bqual);
    }

    @Override
    public String toString() {
        return sql();
    }
}
