package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.gtid.Gtid;
import io.tributary.common.value.Cut;
import io.tributary.common.value.SchemaState;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stopped Dumper: the command knows its shards only from the last cut. */
class ShardSkipCommandTest {
    private static final Gtid HELD = StoppedNode.HELD;

    private StoppedNode node;

    @TempDir
    private Path folder;

    @BeforeEach
    void createStoppedNode() throws IOException {
        node = new StoppedNode(folder, "127.0.0.1:1");
    }

    private int skip(String shard, String... words) {
        String[] all = new String[words.length + 3];
        System.arraycopy(new String[] {"shard", "skip", shard}, 0, all, 0, 3);
        System.arraycopy(words, 0, all, 3, words.length);
        return node.run(all);
    }

    private void assertRefused(int status, String part) {
        assertEquals(1, status, node.out());
        assertTrue(node.err().startsWith("SKIP_REFUSED: "), node.err());
        assertTrue(node.err().contains(part), node.err());
    }

    @Test
    void theTransactionAtWhichTheShardIsHeldIsLeftOut() {
        node.writeHeldShard();
        assertEquals(0, skip("s1", "--gtid", HELD.toString()), node.err());
        assertTrue(node.out().startsWith("stopped node, appended to the binlog in "), node.out());
        assertTrue(node.out().contains(": decided: " + HELD + " of shard s1 will be left out"), node.out());
        Cut cut = node.lastCut();
        assertTrue(cut.shards().get(0).leftOut().contains(HELD.sid(), HELD.gno()));
        assertEquals(0, skip("s1", "--gtid", HELD.toString()), node.err());
        assertTrue(node.out().contains("already decided"), node.out());
        assertEquals(cut.number(), node.lastCut().number());
    }

    @Test
    void laterTransactionsAreLeftOutIfTheyMustBeRefused() {
        node.writeHeldShard();
        assertEquals(0, skip("s1", "--gtid", HELD.toString(), "--until", StoppedNode.UUID + ":1024"), node.err());
        Cut.ShardCut shard = node.lastCut().shards().get(0);
        assertEquals(StoppedNode.UUID + ":24-1024", shard.leftOutIfRefused().line());
        assertTrue(shard.leftOut().isEmpty());
        assertEquals(0, skip("s1", "--gtid", HELD.toString(), "--until", StoppedNode.UUID + ":1000"), node.err());
        assertTrue(node.out().contains("already decided"), node.out());
    }

    @Test
    void anotherTransactionIsRefusedAndTheQuestionIsReported() {
        node.writeHeldShard();
        assertRefused(
                skip("s1", "--gtid", StoppedNode.UUID + ":25"), "expected " + HELD + ", at which shard s1 is held");
        assertTrue(node.err().contains("STATEMENT_FORMAT: shard s1 at binlog.000003:77"), node.err());
        assertRefused(
                skip("s1", "--gtid", StoppedNode.UUID + ":23"),
                "expected a transaction that is not processed yet, found ");
        assertRefused(skip("s2", "--gtid", HELD.toString()), "expected one of the shards [s1], found 's2'");
        assertRefused(skip("s1", "--gtid", "24"), "--gtid: expected one GTID such as UUID:17, found '24'");
        assertRefused(
                skip("s1", "--gtid", HELD.toString(), "--until", StoppedNode.UUID + ":5"),
                "--until: expected a later GTID of the same source");
    }

    @Test
    void nothingIsLeftOutIfNoShardIsHeld() {
        node.write(SchemaState.NONE);
        assertRefused(skip("s1", "--gtid", HELD.toString()), "contains no held transaction: start the node");
    }
}
