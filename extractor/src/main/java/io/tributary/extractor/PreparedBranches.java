package io.tributary.extractor;

import io.tributary.common.value.Xid;
import io.tributary.mysql.protocol.client.MysqlConnection;
import io.tributary.mysql.protocol.client.QueryResult;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;

/** The query for a shard's undecided branches: columns formatID, gtrid_length, bqual_length, data (XA RECOVER). */
public final class PreparedBranches {
    /** The data in hexadecimal, after 0x. */
    private static final String MYSQL = "XA RECOVER CONVERT XID";
    /** The data as bytes. */
    private static final String MARIADB = "XA RECOVER";

    private PreparedBranches() {}

    /** Runs the query; blocks. */
    public static Set<Xid> of(MysqlConnection connection, Duration deadline) {
        Set<Xid> xids = new HashSet<>();
        boolean isMariadb = connection.isMariadb();
        for (QueryResult.Row row :
                connection.query(isMariadb ? MARIADB : MYSQL, deadline).rows()) {
            byte[] data = isMariadb
                    ? row.bytes(3)
                    : HexFormat.of().parseHex(row.text(3).substring("0x".length()));
            int gtrid = Integer.parseInt(row.text(1));
            int bqual = Integer.parseInt(row.text(2));
            xids.add(new Xid(Arrays.copyOf(data, gtrid), Arrays.copyOfRange(data, gtrid, gtrid + bqual), (int)
                    Long.parseLong(row.text(0))));
        }
        return xids;
    }
}
