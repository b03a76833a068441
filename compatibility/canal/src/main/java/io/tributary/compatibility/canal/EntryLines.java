package io.tributary.compatibility.canal;

import com.alibaba.otter.canal.protocol.CanalEntry;
import com.google.protobuf.InvalidProtocolBufferException;
import java.util.List;

/** Prints canal's entries as R, D and T lines. */
final class EntryLines {
    private boolean isDone;

    /** Prints an entry; ends the process behind the transaction with the workload's last row. */
    void accept(CanalEntry.Entry entry) throws InvalidProtocolBufferException {
        if (entry.getEntryType() == CanalEntry.EntryType.ROWDATA) {
            accept(
                    entry.getHeader().getSchemaName() + "." + entry.getHeader().getTableName(),
                    CanalEntry.RowChange.parseFrom(entry.getStoreValue()));
        } else if (entry.getEntryType() == CanalEntry.EntryType.TRANSACTIONEND) {
            System.out.println("T");
            if (isDone) {
                System.out.flush();
                Runtime.getRuntime().halt(0);
            }
        }
    }

    private void accept(String table, CanalEntry.RowChange change) {
        if (change.getIsDdl()) {
            System.out.println("D\t" + change.getSql());
        }
        for (CanalEntry.RowData row : change.getRowDatasList()) {
            boolean gone = change.getEventType() == CanalEntry.EventType.DELETE;
            String key = (gone ? row.getBeforeColumnsList() : row.getAfterColumnsList())
                    .get(0)
                    .getValue();
            System.out.println("R\t" + table + "\t" + key + "\t" + change.getEventType() + "\t"
                    + words(row.getBeforeColumnsList()) + "\t" + words(row.getAfterColumnsList()));
        }
        isDone |= table.equals("shop.done") && !change.getIsDdl();
    }

    private static String words(List<CanalEntry.Column> columns) {
        StringBuilder words = new StringBuilder();
        for (CanalEntry.Column column : columns) {
            words.append(column.getName())
                    .append('=')
                    .append(column.getIsNull() ? "NULL" : column.getValue())
                    .append(' ');
        }
        return words.toString().replace('\n', ' ').replace('\r', ' ');
    }
}
