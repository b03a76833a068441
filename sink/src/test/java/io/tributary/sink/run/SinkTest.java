package io.tributary.sink.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.testkit.kafka.KafkaBrokers;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SinkTest {
    private static SinkRig rig;

    @BeforeAll
    static void start() {
        rig = new SinkRig(KafkaBrokers.one());
    }

    @AfterAll
    static void end() {
        rig.close();
    }

    @BeforeEach
    void clear() throws Exception {
        rig.clear();
    }

    @Test
    void sendsTheRowsOfATransactionWithTheirNumbers() throws Exception {
        rig.source().execute("CREATE DATABASE shop", "CREATE TABLE shop.t (id INT PRIMARY KEY, v VARCHAR(20))");
        rig.source()
                .execute(
                        "BEGIN",
                        "INSERT INTO shop.t VALUES (1, 'a'), (2, 'b')",
                        "UPDATE shop.t SET v = 'c' WHERE id = 1",
                        "DELETE FROM shop.t WHERE id = 2",
                        "COMMIT");
        SinkRig.Running run = rig.start(rig.plans().plan());
        run.awaitAll();
        run.stop();
        List<Received> all = rig.read("shop.t");
        assertEquals(
                List.of("INSERT shop.t 1,a", "INSERT shop.t 2,b", "UPDATE shop.t 1,a > 1,c", "DELETE shop.t 2,b"),
                all.stream().map(Received::value).toList());
        assertEquals(List.of(0L, 1L, 2L, 3L), all.stream().map(one -> one.headers().row()).toList());
        assertEquals(
                List.of(false, false, false, true),
                all.stream().map(one -> one.headers().isLast()).toList());
        assertEquals(4, run.sink().figures().rows());
    }
}
