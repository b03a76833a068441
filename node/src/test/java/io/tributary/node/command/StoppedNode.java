package io.tributary.node.command;

import io.tributary.binlog.CutAppender;
import io.tributary.binlog.Recovered;
import io.tributary.binlog.Recovery;
import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.common.error.ErrorCode;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import io.tributary.common.value.Ddl;
import io.tributary.common.value.DdlKind;
import io.tributary.common.value.Question;
import io.tributary.common.value.ResumePosition;
import io.tributary.common.value.SchemaState;
import io.tributary.common.value.SchemaState.HeldQuestion;
import io.tributary.common.value.SchemaState.MemberCount;
import io.tributary.common.value.SchemaState.PendingDdl;
import io.tributary.common.value.ServerVersion;
import io.tributary.common.value.TableName;
import io.tributary.node.command.client.NodeKeys;
import io.tributary.node.process.StopSignal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/** The directory of a stopped Dumper with one held shard, s1, and a runner of commands with its configuration. */
final class StoppedNode {
    static final String UUID = "3e11fa47-71ca-11e1-9e33-c80aa9429562";
    static final Gtid HELD = Gtid.parse(UUID + ":24");
    static final String QUESTION = "q24";
    static final String PENDING = "00000000000000ab";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Path file;
    private final BinlogConfig config;

    /** @param admin the address at which it would listen */
    StoppedNode(Path folder, String admin) throws IOException {
        file = Files.writeString(
                folder.resolve("dumper.properties"),
                "node.role = dumper\nadmin.listen = " + admin + "\nbinlog.directory = " + folder.resolve("binlog")
                        + "\n");
        config = NodeKeys.read(file, List.of(BinlogConfig.class)).get(BinlogConfig.class);
    }

    /** Writes the cut, in which s1 is held and a statement is pending. */
    void writeHeldShard() {
        Ddl.Part part = new Ddl.Part(
                DdlKind.EARLY,
                PENDING,
                false,
                false,
                List.of(new Ddl.Target(Ddl.Effect.CHANGES, new TableName("shop", "orders"))));
        PendingDdl pending = new PendingDdl(
                part,
                "ALTER TABLE shop.orders DROP INDEX a",
                1,
                new SchemaState.LoggedStatement(ByteBuffer.allocate(0), ServerVersion.STANDARD),
                List.of(new MemberCount(0, new TableName("shop", "orders_1"), 1, 0)));
        HeldQuestion question = new HeldQuestion(
                QUESTION,
                "s1",
                HELD,
                new Question(ErrorCode.STATEMENT_FORMAT, "shard s1 at binlog.000003:77: expected rows"));
        write(new SchemaState(List.of(pending), List.of(question), List.of(), List.of()));
    }

    /** Writes a cut of s1 up to transaction 23. */
    void write(SchemaState schema) {
        GtidSet processed =
                GtidSet.EMPTY.toBuilder().addRange(HELD.sid(), 1, 23).build();
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            Recovered recovered = Recovery.run(directory, config, Clock.SYSTEM);
            Cut.ShardCut shard = new Cut.ShardCut(
                    "s1",
                    UUID,
                    new ResumePosition(processed, "binlog.000003", 70),
                    processed,
                    5,
                    0,
                    Cut.LeftOutGtids.NONE);
            Cut cut = new Cut(
                    1,
                    1,
                    new Cut.Sources(List.of(shard), Set.of()),
                    new Cut.OutputPoint(0, 0, 0),
                    new Cut.SchemaPoint(schema, 0));
            CutAppender.append(directory, config, recovered, cut, Clock.SYSTEM);
        }
    }

    /** Takes the lock like a running node. */
    BinlogDirectory lock() {
        return BinlogDirectory.open(config, Clock.SYSTEM);
    }

    Cut lastCut() {
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            return Recovery.run(directory, config, Clock.SYSTEM).cut();
        }
    }

    /** Runs a command with the node's configuration; returns its exit status. */
    int run(String... words) {
        return runWith(file, words);
    }

    /** Runs a command with another configuration; returns its exit status. */
    int runWith(Path configuration, String... words) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        CommandLine line = TributaryCommand.commandLine(new StopSignal());
        line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("-c", configuration.toString()));
        return line.execute(all.toArray(String[]::new));
    }

    /** The standard output of the last command. */
    String out() {
        return out.toString();
    }

    /** The standard error of the last command. */
    String err() {
        return err.toString();
    }
}
