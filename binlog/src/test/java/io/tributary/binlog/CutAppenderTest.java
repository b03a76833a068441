package io.tributary.binlog;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tributary.binlog.file.BinlogConfig;
import io.tributary.binlog.file.BinlogDirectory;
import io.tributary.binlog.write.Dumper;
import io.tributary.common.gtid.Gtid;
import io.tributary.common.pipeline.Clock;
import io.tributary.common.value.Cut;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A decision that was given while no node ran is written after all transactions, and every later start finds it. */
class CutAppenderTest {
    private static final Gtid DECIDED = new Gtid(new UUID(1, 1), 99);

    @TempDir
    Path folder;

    @Test
    void theNextStartFindsTheDecisionAndContinuesAfterIt() throws Exception {
        BinlogSettings settings = BinlogSettings.in(folder);
        try (Dumper dumper = new Dumper(settings)) {
            TaskStream task = new TaskStream(1, Optional.empty());
            dumper.put(task.batch(5));
            dumper.put(task.cut());
            dumper.run();
        }
        BinlogConfig config = settings.config();
        try (BinlogDirectory directory = BinlogDirectory.open(config, Clock.SYSTEM)) {
            Recovered found = Recovery.run(directory, config, Clock.SYSTEM);
            Cut decided = found.cut().leavingOut("s1", DECIDED);
            CutAppender.append(directory, config, found, decided, Clock.SYSTEM);
        }
        try (Dumper dumper = new Dumper(settings)) {
            Cut cut = dumper.recovered.cut();
            assertEquals(2, cut.number());
            assertEquals(5, cut.transactions());
            assertEquals(DECIDED.toString(), cut.shards().get(0).leftOut().line());
            TaskStream task = new TaskStream(1, Optional.of(cut));
            dumper.put(task.batch(5));
            dumper.put(task.cut());
            dumper.run();
        }
        BinlogReader content = BinlogReader.read(folder);
        assertEquals(10, content.transactions.size());
        assertEquals(4, content.cuts, "of the head, two batches and the decision");
    }
}
