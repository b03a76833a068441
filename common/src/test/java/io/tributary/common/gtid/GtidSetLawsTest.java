package io.tributary.common.gtid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** GTID sets against plain sets of GTIDs, with random content. */
class GtidSetLawsTest {
    private static final List<Sid> SIDS =
            List.of(new Sid(new UUID(-1, 0)), new Sid(new UUID(5, 1)), new Sid(new UUID(5, 1), "tag"));

    @Test
    void behavesAsASetOfGtids() {
        Random random = new Random(20240501);
        for (int i = 0; i < 3000; i++) {
            Set<Gtid> modelA = draw(random);
            Set<Gtid> modelB = draw(random);
            GtidSet a = set(modelA);
            GtidSet b = set(modelB);
            assertEquals(set(union(modelA, modelB)), a.union(b));
            assertEquals(set(minus(modelA, modelB)), a.minus(b));
            assertEquals(set(minus(modelA, minus(modelA, modelB))), a.intersect(b));
            assertEquals(modelA.containsAll(modelB), a.containsAll(b));
            assertEquals(modelA.size(), a.count());
            assertEquals(modelA.isEmpty(), a.isEmpty());
            assertEquals(a, GtidSet.parse(a.toString()));
            assertEquals(a, GtidSet.decode(a.encode()));
            assertEquals(a, GtidSet.parse(a.line()));
            for (Sid sid : SIDS) {
                for (long gno = 1; gno <= 24; gno++) {
                    assertEquals(modelA.contains(new Gtid(sid, gno)), a.contains(sid, gno));
                    long missing = gno;
                    while (modelA.contains(new Gtid(sid, missing))) {
                        missing++;
                    }
                    assertEquals(missing, a.firstMissing(sid, gno));
                }
            }
        }
    }

    @Test
    void obeysTheLawsOfSets() {
        Random random = new Random(7);
        for (int i = 0; i < 3000; i++) {
            GtidSet a = set(draw(random));
            GtidSet b = set(draw(random));
            GtidSet c = set(draw(random));
            assertEquals(a.union(b), b.union(a));
            assertEquals(a.union(b).hashCode(), b.union(a).hashCode());
            assertEquals(a.union(b).union(c), a.union(b.union(c)));
            assertEquals(a.intersect(b.union(c)), a.intersect(b).union(a.intersect(c)));
            assertEquals(a, a.minus(b).union(a.intersect(b)));
            assertTrue(a.union(b).containsAll(a));
            assertTrue(a.minus(b).intersect(b).isEmpty());
            assertEquals(GtidSet.EMPTY, a.minus(a));
        }
    }

    private static Set<Gtid> draw(Random random) {
        Set<Gtid> gtids = new TreeSet<>();
        int runs = random.nextInt(6);
        for (int run = 0; run < runs; run++) {
            Sid sid = SIDS.get(random.nextInt(SIDS.size()));
            long first = 1L + random.nextInt(18);
            for (long gno = first; gno <= first + random.nextInt(6); gno++) {
                gtids.add(new Gtid(sid, gno));
            }
        }
        return gtids;
    }

    /** Adds in an order that depends on the content, to reach every way of joining intervals. */
    private static GtidSet set(Set<Gtid> model) {
        GtidSet.Builder builder = new GtidSet.Builder();
        List<Gtid> order = new java.util.ArrayList<>(model);
        java.util.Collections.shuffle(order, new Random(model.hashCode()));
        for (Gtid gtid : order) {
            builder.add(gtid);
            if ((gtid.gno() & 3) == 0) {
                assertTrue(builder.build().contains(gtid));
            }
        }
        return builder.build();
    }

    private static Set<Gtid> union(Set<Gtid> a, Set<Gtid> b) {
        Set<Gtid> result = new TreeSet<>(a);
        result.addAll(b);
        return result;
    }

    private static Set<Gtid> minus(Set<Gtid> a, Set<Gtid> b) {
        Set<Gtid> result = new TreeSet<>(a);
        result.removeAll(b);
        return result;
    }
}
