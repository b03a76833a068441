package io.tributary.node.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.RefusedTransaction;
import io.tributary.common.value.SchemaState;
import io.tributary.dumper.BinlogConfig;
import io.tributary.dumper.BinlogDirectory;
import io.tributary.dumper.CutAppender;
import io.tributary.dumper.Recovered;
import io.tributary.dumper.Recovery;
import io.tributary.dumper.RefusalNote;
import io.tributary.node.role.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** A Dumper's folder, of whose shards the command knows only what the Task said last. */
class ShardSkipCommandTest {
    private static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    private static final Gtid REFUSED = Gtid.parse(UUID + ":24");
    private static final String WHY = "expected the stream to go on, it ended: STATEMENT_FORMAT: shard s1 at"
            + " binlog.000003:77: expected rows; to leave it out: ";

    private final StringWriter text = new StringWriter();
    private Path file;
    private BinlogConfig config;

    @TempDir
    private Path folder;

    @BeforeEach
    void aBinlogThatHasOneShard() throws IOException {
        file = Files.writeString(
                folder.resolve("dumper.properties"),
                "node.role = dumper\nbinlog.directory = " + folder.resolve("binlog") + "\n");
        config = NodeKeys.read(file, List.of(BinlogConfig.class)).get(BinlogConfig.class);
        GtidSet processed =
                GtidSet.EMPTY.toBuilder().addRange(REFUSED.sid(), 1, 23).build();
        in(directory -> {
            Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
            Cut.ShardCut shard = new Cut.ShardCut("s1", UUID, processed, processed, "binlog.000003", 70, 5, 0);
            Cut cut = new Cut(1, 1, 0, 0, List.of(shard), Set.of(), SchemaState.NONE);
            CutAppender.append(directory, config, recovered, cut, Clock.SYSTEM);
        });
    }

    private void in(Consumer<BinlogDirectory> action) {
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            action.accept(directory);
        }
    }

    private void refuse(String shard, Gtid gtid) {
        String message = WHY + new RefusedTransaction(shard, gtid).command() + " | Set binlog_format = ROW.";
        in(directory -> new RefusalNote(directory).note(new TributaryException(ErrorCode.STREAM_BROKEN, message)));
    }

    private int skip(String gtid) {
        CommandLine line = TributaryCommand.commandLine(new StopSignal());
        text.getBuffer().setLength(0);
        line.setErr(new PrintWriter(text));
        line.setOut(new PrintWriter(text));
        return line.execute("shard", "skip", "s1", "--gtid", gtid, "-c", file.toString());
    }

    @Test
    void theTransactionThatWasRefusedIsLeftOut() {
        refuse("s1", REFUSED);
        assertEquals(0, skip(REFUSED.toString()), text.toString());
        assertTrue(text.toString().startsWith("ordered: " + REFUSED), text.toString());
        assertEquals(0, skip(REFUSED.toString()), text.toString());
        assertTrue(text.toString().startsWith("already ordered"), text.toString());
    }

    @Test
    void anotherOneIsNotAndTheRefusalIsNamed() {
        refuse("s1", REFUSED);
        in(directory -> new RefusalNote(directory).note(new TributaryException(ErrorCode.STREAM_BROKEN, "cut off")));
        assertEquals(1, skip(UUID + ":25"));
        assertTrue(text.toString().startsWith("SKIP_REFUSED: expected " + REFUSED + " of shard s1"), text.toString());
        assertTrue(text.toString().contains("shard s1 at binlog.000003:77"), text.toString());
        assertEquals(1, skip(UUID + ":23"));
        assertTrue(text.toString().contains("has been processed already"), text.toString());
    }

    @Test
    void aTransactionOfAnotherShardIsNot() {
        refuse("s2", REFUSED);
        assertEquals(1, skip(REFUSED.toString()));
        assertTrue(text.toString().contains("of shard s2, at which"), text.toString());
    }

    @Test
    void nothingIsLeftOutWhereNothingWasRefused() {
        assertEquals(1, skip(REFUSED.toString()));
        assertTrue(text.toString().contains("nothing was refused yet"), text.toString());
    }
}
