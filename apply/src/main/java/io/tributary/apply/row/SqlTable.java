package io.tributary.apply.row;

import io.netty.buffer.ByteBuf;
import io.tributary.common.value.TableName;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.replay.row.RowLiteral;
import io.tributary.replay.stream.RowImages;
import io.tributary.schema.definition.Column;
import io.tributary.schema.definition.SqlType;
import io.tributary.schema.sql.SqlNames;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The statements for the rows of one table map. For one thread. */
final class SqlTable {
    private static final byte[] NULL = "NULL".getBytes(StandardCharsets.US_ASCII);

    private final TargetTable target;
    private final RowImages images;
    private final RowLiteral literals;
    private final String[] names;

    /** Columns that the server changes if a statement does not name them: ON UPDATE CURRENT_TIMESTAMP. */
    private final boolean[] setsItself;

    private final int[] written;
    private final String insertedColumns;
    private final int[] key;
    private int[] offsets;
    private int[] after;
    private int image;
    private int imageAfter;
    private boolean isFirst;

    /** @throws io.tributary.common.error.TributaryException TARGET_UNFIT if the columns of the target are others */
    SqlTable(TargetTable target, TableShape event) {
        this.target = target;
        this.images = new RowImages(event);
        this.literals = new RowLiteral(target.definition(), event);
        List<Column> columns = target.definition().columns();
        this.names =
                columns.stream().map(column -> SqlNames.name(column.name())).toArray(String[]::new);
        this.setsItself = new boolean[columns.size()];
        for (int i = 0; i < setsItself.length; i++) {
            setsItself[i] = !columns.get(i).onUpdate().isEmpty();
        }
        this.written = target.written();
        this.key = target.rowKey();
        this.insertedColumns =
                IntStream.of(written).mapToObj(i -> names[i]).collect(Collectors.joining(",", " (", ") VALUES "));
        this.offsets = new int[images.columns() + 1];
        this.after = new int[images.columns() + 1];
    }

    TableName name() {
        return target.definition().name();
    }

    boolean isTransactional() {
        return target.isTransactional();
    }

    // ---- INSERT

    void beginInsert(ByteBuf out, boolean replaces) {
        add(out, replaces ? "REPLACE INTO " : "INSERT INTO ");
        addUtf8(out, target.quoted());
        addUtf8(out, insertedColumns);
        isFirst = true;
    }

    /** Adds a row; returns the offset after its image. */
    int row(ByteBuf out, ByteBuffer view, int from, int end) {
        int next = locate(view, from, end);
        add(out, isFirst ? "(" : ",(");
        isFirst = false;
        for (int i = 0; i < written.length; i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            value(out, view, written[i]);
        }
        out.writeByte(')');
        return next;
    }

    // ---- DELETE

    /**
     * Whether a DELETE may have several rows. Servers compare ENUM and SET in several columns as texts, and check foreign keys row by row in an order of
     * their own.
     */
    boolean deletesTogether() {
        return key.length == 1
                && !keyColumn().type().hasValues()
                && target.definition().foreignKeys().stream()
                        .noneMatch(reference -> reference.referenced().equals(name()));
    }

    private Column keyColumn() {
        return target.definition().columns().get(key[0]);
    }

    void beginDelete(ByteBuf out) {
        add(out, "DELETE FROM ");
        addUtf8(out, target.quoted());
        add(out, " WHERE ");
        isFirst = true;
    }

    /** Adds a row to the condition of a DELETE; returns the offset after its image. */
    int condition(ByteBuf out, ByteBuffer view, int from, int end) {
        int next = locate(view, from, end);
        if (key.length == 0) {
            wholeRow(out, view);
            return next;
        }
        if (isFirst) {
            out.writeByte('(');
            addUtf8(
                    out,
                    String.join(",", Arrays.stream(key).mapToObj(i -> names[i]).toList()));
            add(out, ") IN (");
        } else {
            out.writeByte(',');
        }
        isFirst = false;
        out.writeByte('(');
        for (int i = 0; i < key.length; i++) {
            if (i > 0) {
                out.writeByte(',');
            }
            value(out, view, key[i]);
        }
        out.writeByte(')');
        return next;
    }

    void endDelete(ByteBuf out) {
        add(out, key.length == 0 ? " LIMIT 1" : ")");
    }

    // ---- UPDATE

    /** Finds the values of both images of a row; returns the offset after them. */
    int locateBoth(ByteBuffer view, int from, int end) {
        imageAfter = locate(view, from, end);
        return images.end(view, imageAfter, end, after);
    }

    /** Whether a column that is written differs in the images. */
    boolean hasChanges(ByteBuffer view) {
        return Arrays.stream(written).anyMatch(column -> isChanged(view, column));
    }

    void update(ByteBuf out, ByteBuffer view) {
        add(out, "UPDATE ");
        addUtf8(out, target.quoted());
        String separator = " SET ";
        for (int column : written) {
            if (isChanged(view, column) || setsItself[column]) {
                add(out, separator);
                addUtf8(out, names[column]);
                out.writeByte('=');
                if (isNull(view, imageAfter, column)) {
                    out.writeBytes(NULL);
                } else {
                    literals.append(out, column, view, after[column]);
                }
                separator = ",";
            }
        }
        add(out, " WHERE ");
        if (key.length == 0) {
            wholeRow(out, view);
            add(out, " LIMIT 1");
            return;
        }
        for (int i = 0; i < key.length; i++) {
            add(out, i == 0 ? "" : " AND ");
            addUtf8(out, names[key[i]]);
            out.writeByte('=');
            value(out, view, key[i]);
        }
    }

    private boolean isChanged(ByteBuffer view, int column) {
        boolean wasNull = isNull(view, image, column);
        boolean isNull = isNull(view, imageAfter, column);
        if (wasNull || isNull) {
            return wasNull != isNull;
        }
        int length = offsets[column + 1] - offsets[column];
        return length != after[column + 1] - after[column]
                || !view.slice(offsets[column], length).equals(view.slice(after[column], length));
    }

    // ---- rows

    private int locate(ByteBuffer view, int from, int end) {
        image = from;
        return images.end(view, from, end, offsets);
    }

    private void wholeRow(ByteBuf out, ByteBuffer view) {
        for (int i = 0; i < written.length; i++) {
            add(out, i == 0 ? "" : " AND ");
            addUtf8(out, names[written[i]]);
            add(out, "<=>");
            value(out, view, written[i]);
            if (isText(written[i]) && !isNull(view, image, written[i])) { // equal in its collation is not the same
                add(out, " AND CAST(");
                addUtf8(out, names[written[i]]);
                add(out, " AS BINARY)=CAST(CONVERT(");
                value(out, view, written[i]);
                add(
                        out,
                        " USING "
                                + target.definition()
                                        .columns()
                                        .get(written[i])
                                        .type()
                                        .charset() + ") AS BINARY)");
            }
        }
    }

    private boolean isText(int column) {
        SqlType type = target.definition().columns().get(column).type();
        return type.isCharacter() && !type.hasValues() && !type.charset().isEmpty();
    }

    private void value(ByteBuf out, ByteBuffer view, int column) {
        if (isNull(view, image, column)) {
            out.writeBytes(NULL);
        } else {
            literals.append(out, column, view, offsets[column]);
        }
    }

    private static boolean isNull(ByteBuffer view, int row, int column) {
        return (view.get(row + column / 8) >> column % 8 & 1) != 0;
    }

    private static void add(ByteBuf out, String ascii) {
        out.writeCharSequence(ascii, StandardCharsets.US_ASCII);
    }

    private static void addUtf8(ByteBuf out, String text) {
        out.writeCharSequence(text, StandardCharsets.UTF_8);
    }
}
