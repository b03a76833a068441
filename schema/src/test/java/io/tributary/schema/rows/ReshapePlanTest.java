package io.tributary.schema.rows;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.mysql.event.ColumnType;
import io.tributary.mysql.event.row.TableShape;
import io.tributary.schema.rows.convert.ColumnFacts;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Plans of handmade table maps. */
class ReshapePlanTest {
    private static final Columns PLAIN = Columns.of(Map.of(), Map.of());

    private static HandmadeMap.Column integer(String name) {
        return HandmadeMap.column(name, ColumnType.MYSQL_TYPE_LONG);
    }

    private static HandmadeMap.Column text(String name, int bytes) {
        return HandmadeMap.column(name, ColumnType.MYSQL_TYPE_VARCHAR, bytes & 0xff, bytes >> 8);
    }

    private static List<String> operations(TableShape from, TableShape to, Columns columns) {
        return assertInstanceOf(ReshapePlan.Total.class, ReshapePlan.of(from, to, columns))
                .operations();
    }

    private static String reason(TableShape from, TableShape to, Columns columns) {
        return assertInstanceOf(ReshapePlan.None.class, ReshapePlan.of(from, to, columns))
                .reason();
    }

    @Test
    void sameColumnsAreIdentityWhateverTheirCase() {
        TableShape from = HandmadeMap.of(integer("a"), text("B", 40));
        assertInstanceOf(
                ReshapePlan.Identity.class, ReshapePlan.of(from, HandmadeMap.of(integer("A"), text("b", 40)), PLAIN));
        assertInstanceOf(
                ReshapePlan.Identity.class,
                ReshapePlan.of(from, HandmadeMap.of(integer("a"), text("b", 80)), PLAIN),
                "the length before the value has the same size");
    }

    @Test
    void aRenamedColumnIsFoundByItsNewName() {
        TableShape from = HandmadeMap.of(integer("a"), text("b", 40));
        assertInstanceOf(
                ReshapePlan.Identity.class,
                ReshapePlan.of(
                        from, HandmadeMap.of(integer("c"), text("b", 40)), Columns.of(Map.of("A", "C"), Map.of())));
        assertEquals(
                List.of("COPY", "COPY"),
                operations(
                        HandmadeMap.of(integer("a"), integer("b")),
                        HandmadeMap.of(integer("a"), integer("b")),
                        Columns.of(Map.of("a", "b", "b", "a"), Map.of())),
                "two columns that swap their names");
        assertEquals(
                List.of("CONST", "COPY"),
                operations(
                        HandmadeMap.of(integer("a"), integer("b")),
                        HandmadeMap.of(integer("a"), integer("b")),
                        Columns.of(Map.of("a", "b"), Map.of("a", AddedValue.NULL))),
                "a became b, b was dropped, a is new");
    }

    @Test
    void eachColumnHasTheCheapestOperation() {
        assertEquals(
                List.of("PREFIX", "CONST", "CONVERT", "COPY"),
                operations(
                        HandmadeMap.of(integer("a"), integer("b"), text("c", 40)),
                        HandmadeMap.of(
                                text("c", 400),
                                integer("n"),
                                HandmadeMap.column("b", ColumnType.MYSQL_TYPE_LONGLONG),
                                integer("a")),
                        Columns.of(Map.of(), Map.of("N", AddedValue.NULL))));
    }

    @Test
    void aReasonNamesTheColumn() {
        TableShape from = HandmadeMap.of(integer("a"));
        assertEquals(
                "column n of d.t: it is new and its value is not known: its default is not known",
                reason(from, HandmadeMap.of(integer("a"), integer("n")), PLAIN));
        assertTrue(reason(from, HandmadeMap.of(HandmadeMap.column("a", ColumnType.MYSQL_TYPE_JSON, 4)), PLAIN)
                .startsWith("column a of d.t: there is no conversion from type 3"));
        List<HandmadeMap.Column> others = List.of(
                HandmadeMap.column("a", ColumnType.MYSQL_TYPE_YEAR),
                HandmadeMap.column("a", ColumnType.MYSQL_TYPE_GEOMETRY, 4),
                HandmadeMap.column("a", ColumnType.MYSQL_TYPE_VECTOR, 4),
                HandmadeMap.column("a", ColumnType.MYSQL_TYPE_FLOAT, 4),
                HandmadeMap.column("a", ColumnType.MYSQL_TYPE_DATE));
        for (HandmadeMap.Column one : others) {
            reason(from, HandmadeMap.of(one), PLAIN);
            reason(HandmadeMap.of(one), HandmadeMap.of(text("a", 40)), PLAIN);
        }
        reason(
                HandmadeMap.of(HandmadeMap.column("a", ColumnType.MYSQL_TYPE_DATETIME2, 0)),
                HandmadeMap.of(HandmadeMap.column("a", ColumnType.MYSQL_TYPE_TIMESTAMP2, 0)),
                PLAIN);
    }

    @Test
    void namesAndFactsCompleteATableMap() {
        TableShape from = HandmadeMap.of(HandmadeMap.column("", ColumnType.MYSQL_TYPE_ENUM, 247, 1));
        TableShape to = HandmadeMap.of(HandmadeMap.column("e", ColumnType.MYSQL_TYPE_ENUM, 247, 1));
        assertEquals("the names of the columns of d.t are not known", reason(from, to, PLAIN));
        ColumnFacts ab = new ColumnFacts(45, List.of(new byte[] {'a'}, new byte[] {'b'}), Optional.empty(), 0);
        ColumnFacts ba = new ColumnFacts(45, List.of(new byte[] {'b'}, new byte[] {'a'}), Optional.empty(), 0);
        List<String> names = List.of("e");
        assertEquals(
                List.of("CONVERT"),
                operations(
                        from,
                        to,
                        new Columns(
                                new DescribedColumns(names, List.of(ab)),
                                new DescribedColumns(names, List.of(ba)),
                                Map.of(),
                                Map.of())));
        assertInstanceOf(
                ReshapePlan.Identity.class,
                ReshapePlan.of(
                        from,
                        to,
                        new Columns(
                                new DescribedColumns(names, List.of(ab)),
                                new DescribedColumns(names, List.of(ab)),
                                Map.of(),
                                Map.of())));
        assertEquals(
                "column e of d.t: its ENUM or SET values are not known",
                reason(
                        from,
                        to,
                        new Columns(
                                new DescribedColumns(names, List.of()),
                                new DescribedColumns(names, List.of(ab)),
                                Map.of(),
                                Map.of())));
    }
}
