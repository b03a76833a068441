package io.tributary.testkit.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.testkit.server.MysqlServer;
import io.tributary.testkit.server.MysqlServers;
import io.tributary.testkit.workload.BankOptions;
import io.tributary.testkit.workload.BankWorkload;
import io.tributary.testkit.workload.MixedWorkload;
import io.tributary.testkit.workload.PathologicalXaWorkload;
import io.tributary.testkit.workload.XaPathology;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Each checker accepts a legal merge of real shards' binlogs and reports each violation that a test puts into it. */
class StreamChecksTest {
    private static List<ShardHistory> shards;
    private static List<BinlogTransaction> output;
    private static long total;

    @BeforeAll
    static void runRealShards() throws Exception {
        try (MysqlServers servers = MysqlServers.start("shard-1", "shard-2", "shard-3")) {
            BankWorkload bank = new BankWorkload(servers.all(), BankOptions.seeded(5));
            PathologicalXaWorkload odd = new PathologicalXaWorkload(servers.all(), 5, 2, XaPathology.legal());
            MixedWorkload mixed = new MixedWorkload(servers.all(), 5, 8, 4, true);
            bank.prepare();
            odd.prepare();
            mixed.prepare();
            bank.start();
            odd.start();
            mixed.run(400L);
            odd.stop();
            bank.stop();
            total = bank.total();
            List<ShardHistory> read = new ArrayList<>();
            for (MysqlServer server : servers) {
                read.add(ShardHistory.read(server.name(), BinlogReader.ofFolder(server.dataFolder())));
            }
            shards = read;
        }
        output = ReferenceMerge.of(shards);
    }

    @Test
    void findNoViolationInALegalMerge() {
        BankCheck bank = new BankCheck();
        RowChainCheck chains = new RowChainCheck();
        List<Check> checks = new ArrayList<>(List.of(loss(), duplicates(), wholeness(), order(), bank, chains));
        output.forEach(transaction -> checks.forEach(check -> check.accept(transaction)));
        checks.forEach(check -> check.report().assertClean());
        assertEquals(total, bank.sum());
        assertTrue(chains.passedOver().isEmpty(), chains.passedOver().toString());
        assertTrue(shards.stream().allMatch(shard -> shard.inDoubt().isEmpty()));
        assertTrue(output.size() > 500, output.size() + " transactions");
    }

    @Test
    void lossOfRowsAndOfStatementsIsFound() {
        int local = indexOf("bank.transfers", 1);
        assertWrong(run(loss(), without(local)), "expected 1 times, found 0");
        assertWrong(run(new RowChainCheck(), without(indexOfUpdate())), "in its before-image in column");
        int ddl = IntStream.range(0, output.size())
                .filter(i -> output.get(i).kind() == TransactionKind.DDL)
                .findFirst()
                .orElseThrow();
        assertWrong(run(loss(), without(ddl)), "CREATE DATABASE");
    }

    @Test
    void repeatsAreFound() {
        List<BinlogTransaction> repeated = new ArrayList<>(output);
        repeated.add(output.get(indexOf("bank.transfers", 1)));
        assertWrong(run(duplicates(), repeated), "is already at");
        assertWrong(run(new RowChainCheck(), repeated), "but the row exists");
        assertTrue(run(loss(), repeated).isClean());
    }

    @Test
    void tornDistributedTransactionsAreFound() {
        int at = indexOf("bank.transfers", 2);
        BinlogTransaction whole = output.get(at);
        int middle = IntStream.range(0, whole.changes().size())
                        .filter(i -> whole.changes().get(i).isOf("bank", "transfers"))
                        .findFirst()
                        .orElseThrow()
                + 1;
        List<BinlogTransaction> torn = new ArrayList<>(output);
        torn.set(at, part(whole, 0, middle));
        torn.add(at + 1, part(whole, middle, whole.changes().size()));
        assertWrong(run(wholeness(), torn), "of its");
        assertWrong(run(new BankCheck(), torn), "the sum of the balances is");
        assertTrue(run(loss(), torn).isClean());
    }

    @Test
    void joinedLocalTransactionsAndXaStatementsAreFound() {
        int at = indexOf("bank.transfers", 1);
        List<RowChange> both = new ArrayList<>(output.get(at).changes());
        both.addAll(output.get(at + 1).changes());
        List<BinlogTransaction> joined = new ArrayList<>(output);
        joined.set(at, ReferenceMerge.with(output.get(at), output.get(at).gtid(), TransactionKind.LOCAL, both));
        joined.remove(at + 1);
        assertFalse(run(wholeness(), joined).isClean());

        List<BinlogTransaction> verb = new ArrayList<>(output);
        BinlogTransaction t = output.get(at);
        verb.set(at, ReferenceMerge.with(t, t.gtid(), TransactionKind.XA_PREPARED, t.changes()));
        assertWrong(run(wholeness(), verb), "XA_PREPARED");
    }

    @Test
    void swappedTransactionsOfAShardAreFound() {
        ShardHistory shard = shards.get(0);
        List<String> locals = shard.steps().stream()
                .filter(step -> step.isCommitted() && !step.isBranch())
                .map(step -> Marker.identity(Marker.ofWorkloads(), step.transaction))
                .filter(identity -> identity.startsWith("bank.transfers"))
                .toList();
        List<String> all = output.stream()
                .map(transaction -> Marker.identity(Marker.ofWorkloads(), transaction))
                .toList();
        List<BinlogTransaction> swapped = new ArrayList<>(output);
        Collections.swap(swapped, all.indexOf(locals.get(5)), all.indexOf(locals.get(6)));
        assertWrong(run(order(), swapped), "which ended earlier on the shard");
    }

    @Test
    void aDistributedTransactionOutsideItsPrepareAndCommitIsFound() {
        int at = indexOf("bank.transfers", 2);
        List<BinlogTransaction> late = new ArrayList<>(output);
        BinlogTransaction moved = late.remove(at);
        late.add(moved);
        assertFalse(run(order(), late).isClean());
        List<BinlogTransaction> early = new ArrayList<>(output);
        early.add(0, early.remove(output.size() - 1));
        assertFalse(run(order(), early).isClean());
    }

    @Test
    void missingRepeatedAndDifferentTransactionsOfASuffixAreFound() {
        GtidSet had = GtidSet.parse(new UUID(1, 2) + ":1-100");
        List<BinlogTransaction> rest = output.subList(100, output.size());
        SuffixCheck.byGtids(output, had, rest).assertClean();
        assertWrong(SuffixCheck.byGtids(output, had, output.subList(101, output.size())), "the reader received");
        assertWrong(SuffixCheck.byGtids(output, had, output.subList(99, output.size())), "the reader received");
        assertWrong(SuffixCheck.byGtids(output, had, rest.subList(0, 10)), "lacks");
        UnaryOperator<BinlogTransaction> other = t -> new BinlogTransaction(
                t.gtid(), t.file(), t.start(), t.end(), 0, 0, t.kind(), "", t.queries(), t.changes(), t.hash() + 1);
        assertWrong(SuffixCheck.byGtids(output, had, rest.stream().map(other).toList()), "other bytes");
    }

    private static LossCheck loss() {
        return new LossCheck(shards);
    }

    private static DuplicateCheck duplicates() {
        return new DuplicateCheck(shards, Marker.ofWorkloads());
    }

    private static WholenessCheck wholeness() {
        return new WholenessCheck(shards, Marker.ofWorkloads());
    }

    private static OrderCheck order() {
        return new OrderCheck(shards, Marker.ofWorkloads());
    }

    private static Report run(Check check, List<BinlogTransaction> stream) {
        stream.forEach(check::accept);
        return check.report();
    }

    private static void assertWrong(Report report, String words) {
        assertTrue(report.toString().contains(words), report.toString());
        assertFalse(report.isClean());
    }

    private static List<BinlogTransaction> without(int index) {
        List<BinlogTransaction> less = new ArrayList<>(output);
        less.remove(index);
        return less;
    }

    private static BinlogTransaction part(BinlogTransaction whole, int from, int to) {
        Gtid gtid = whole.gtid();
        return ReferenceMerge.with(
                whole, gtid, TransactionKind.LOCAL, whole.changes().subList(from, to));
    }

    /** A transaction in the middle of the output with this many rows in the marker table. */
    private static int indexOf(String table, int branches) {
        return IntStream.range(output.size() / 2, output.size())
                .filter(i -> output.get(i).changes().stream()
                                .filter(change -> change.name().equals(table))
                                .count()
                        == branches)
                .findFirst()
                .orElseThrow();
    }

    /** A transaction that updates an account which a later one updates too. */
    private static int indexOfUpdate() {
        return IntStream.range(0, output.size())
                .filter(i -> output.get(i).changes().stream()
                        .anyMatch(change -> change.isOf("bank", "accounts") && !change.isInsert()))
                .findFirst()
                .orElseThrow();
    }
}
