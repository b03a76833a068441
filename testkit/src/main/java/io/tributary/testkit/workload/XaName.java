package io.tributary.testkit.workload;

import io.tributary.testkit.server.MysqlRelease;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/** The name of an XA branch as SQL text; gtrid and bqual are bytes. */
record XaName(byte[] gtrid, byte[] bqual, long formatId) {
    static XaName of(String gtrid, String bqual) {
        return new XaName(gtrid.getBytes(StandardCharsets.UTF_8), bqual.getBytes(StandardCharsets.UTF_8), 1);
    }

    /** The text after XA START and the other XA statements. */
    String sql() {
        HexFormat hex = HexFormat.of();
        return "X'" + hex.formatHex(gtrid) + "',X'" + hex.formatHex(bqual) + "'," + formatId;
    }

    /** The statement that returns rows for {@link #isIn}. */
    static String recover(MysqlRelease release) {
        return release.isMariadb() ? "XA RECOVER FORMAT='SQL'" : "XA RECOVER CONVERT XID";
    }

    /** Whether a row of {@link #recover} is this branch; MariaDB quotes printable names as text. */
    boolean isIn(Map<String, String> row) {
        String text = "'" + new String(gtrid, StandardCharsets.UTF_8) + "','"
                + new String(bqual, StandardCharsets.UTF_8) + "'";
        if (row.get("data").startsWith(text)) {
            return Long.parseLong(row.get("formatID")) == formatId;
        }
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
