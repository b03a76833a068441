package io.tributary.sink.canal;

import io.tributary.changes.RowImage;
import io.tributary.sink.json.JsonOutput;
import java.util.ArrayList;
import java.util.List;

/** The members {@code sqlType} and {@code mysqlType} of some columns, of which only the types of unsigned integers depend on a row. Immutable. */
final class CanalTypes {
    private final List<CanalColumn> dependent = new ArrayList<>();
    /** What is before each dependent type, and after the last one. */
    private final List<byte[]> between = new ArrayList<>();

    CanalTypes(List<CanalColumn> columns, boolean isFull) {
        JsonOutput out = new JsonOutput().ascii(",\"sqlType\":{");
        boolean isFirst = true;
        for (CanalColumn column : columns) {
            name(out, column, isFirst);
            isFirst = false;
            if (column.hasPromotion()) {
                between.add(out.toBytes());
                dependent.add(column);
                out.clear();
            } else {
                out.integer(column.sqlType());
            }
        }
        out.ascii("},\"mysqlType\":{");
        isFirst = true;
        for (CanalColumn column : columns) {
            name(out, column, isFirst);
            isFirst = false;
            out.string(column.mysqlType(isFull));
        }
        between.add(out.character('}').toBytes());
    }

    private static void name(JsonOutput out, CanalColumn column, boolean isFirst) {
        if (!isFirst) {
            out.character(',');
        }
        out.string(column.column().name()).character(':');
    }

    /** Appends both, with a comma before them. */
    void write(JsonOutput out, RowImage image) {
        for (int i = 0; i < dependent.size(); i++) {
            out.raw(between.get(i)).integer(dependent.get(i).sqlType(image));
        }
        out.raw(between.get(dependent.size()));
    }
}
