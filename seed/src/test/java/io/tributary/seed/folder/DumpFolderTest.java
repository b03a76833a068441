package io.tributary.seed.folder;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tributary.common.error.ErrorCode;
import io.tributary.common.error.TributaryException;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.value.TableName;
import io.tributary.schema.list.SchemaDefault;
import io.tributary.schema.read.DefinitionReader;
import io.tributary.schema.read.ReadSession;
import io.tributary.seed.table.LogicalTable;
import io.tributary.seed.table.LogicalView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DumpFolderTest {
    private static final TableName ODD = new TableName("shop", "a/b.c`d");
    private static final GtidSet PLACE = GtidSet.parse("11111111-2222-3333-4444-555555555555:1-999999999999999999");
    private static final DumpGuide.Source SOURCE = new DumpGuide.Source("10.0.0.5", 3307, "repl'ica");

    @TempDir
    private Path path;

    private static LogicalTable table(TableName name) {
        String create = "CREATE TABLE `" + name.table().replace("`", "``")
                + "` (\n  `id` int NOT NULL,\n  PRIMARY KEY (`id`)\n)";
        return new LogicalTable(
                DefinitionReader.create(create, ReadSession.standard(name.schema()), other -> Optional.empty())
                        .orElseThrow(),
                create,
                List.of());
    }

    private static DumpContent content() {
        return new DumpContent(
                List.of(
                        new SchemaDefault("shop", "utf8mb4", "utf8mb4_bin"),
                        new SchemaDefault("empty.one", "latin1", "latin1_bin")),
                List.of(table(new TableName("shop", "items")), table(ODD)),
                List.of());
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aFileHasItsNameOnlyWhenItIsComplete() throws IOException {
        DumpFolder folder = DumpFolder.begin(path.resolve("a/b"));
        TableName items = new TableName("shop", "items");
        DumpFile file = folder.data(items);
        file.add("x".repeat(1 << 20));
        assertEquals(
                List.of("shop.items.00000.sql.unfinished"), names(folder.path().resolve("dump")));
        file.complete();
        file.close();
        folder.data(items).close();
        assertEquals(List.of("shop.items.00000.sql"), names(folder.path().resolve("dump")));
        assertEquals(1 << 20, Files.size(folder.path().resolve("dump/shop.items.00000.sql")));
        folder.forget(items);
        assertEquals(List.of(), names(folder.path().resolve("dump")));
    }

    @Test
    void aFolderWithFilesIsRefused() throws IOException {
        DumpFolder.begin(path.resolve("f"));
        TributaryException again = assertThrows(TributaryException.class, () -> DumpFolder.begin(path.resolve("f")));
        assertEquals(ErrorCode.TARGET_UNFIT, again.code());
        assertTrue(again.getMessage().contains("cannot be resumed"), again.getMessage());
        Path file = Files.writeString(path.resolve("file"), "x");
        assertThrows(TributaryException.class, () -> DumpFolder.begin(file));
        assertEquals("x", Files.readString(file));
    }

    @Test
    void oddNamesAreReplacedAndTheMetadataComesLast() throws IOException {
        DumpFolder folder = DumpFolder.begin(path.resolve("f"));
        new DumpGuide(folder, PLACE, SOURCE).complete(content(), 5 << 20);
        Path dump = folder.path().resolve("dump");
        assertEquals(
                List.of(
                        "metadata",
                        "mydumper_0-schema-create.sql",
                        "shop-schema-create.sql",
                        "shop.items-schema.sql",
                        "shop.mydumper_1-schema.sql"),
                names(dump));
        assertEquals(
                List.of("README.txt", "dump", "load.sh", "replica.sql", "schema.sql", "views.sql"),
                names(folder.path()));
        String metadata = Files.readString(dump.resolve("metadata"));
        assertTrue(metadata.contains("[`shop`.`mydumper_1`]\nreal_table_name=a/b.c`d\n"), metadata);
        assertTrue(
                Files.readString(dump.resolve("mydumper_0-schema-create.sql")).contains("`empty.one`"));
        assertTrue(Files.readString(folder.path().resolve("README.txt"))
                .contains("max_allowed_packet of at least 8388608"));
        String replica = Files.readString(folder.path().resolve("replica.sql"));
        assertTrue(replica.contains("SOURCE_USER = 'repl''ica'"), replica);
        TributaryException again = assertThrows(TributaryException.class, () -> DumpFolder.begin(folder.path()));
        assertTrue(again.getMessage().contains("a complete seed"), again.getMessage());
    }

    @Test
    void aFailureBeforeTheEndLeavesNoMetadata() throws IOException {
        DumpFolder folder = DumpFolder.begin(path.resolve("f"));
        Files.createDirectories(folder.path().resolve("README.txt.unfinished"));
        TributaryException failure = assertThrows(
                TributaryException.class, () -> new DumpGuide(folder, PLACE, SOURCE).complete(content(), 1));
        assertEquals(ErrorCode.IO_FAILED, failure.code());
        assertFalse(Files.exists(folder.path().resolve("dump/metadata")));
    }

    @Test
    void aFullDiskIsNamed() {
        TributaryException full = FileErrors.of(path, new IOException("No space left on device"));
        assertEquals(ErrorCode.DISK_FULL, full.code());
        assertTrue(full.getMessage().contains("use a disk with more free space"), full.getMessage());
    }

    @Test
    void theNameOfTheReplaysTableHasAtMost64Characters() {
        String end = new DumpGuide(DumpFolder.begin(path.resolve("f")), PLACE, SOURCE).endOfReplay();
        String name = end.substring(end.indexOf("`replayed") + 1, end.indexOf("` (id"));
        assertEquals(64, name.length(), name);
    }

    @Test
    void viewsComeAfterThoseThatTheyUse() {
        LogicalView a = new LogicalView(new TableName("d", "a"), "CREATE VIEW `d`.`a` AS select 1 from `d`.`c`");
        LogicalView b = new LogicalView(new TableName("d", "b"), "CREATE VIEW `d`.`b` AS select 1");
        LogicalView c = new LogicalView(new TableName("d", "c"), "CREATE VIEW `d`.`c` AS select 1 from `d`.`b`");
        assertEquals(List.of(b, c, a), DumpDefinitions.ordered(List.of(a, b, c)));
        LogicalView x = new LogicalView(new TableName("d", "x"), "CREATE VIEW `d`.`x` AS select 1 from `d`.`y`");
        LogicalView y = new LogicalView(new TableName("d", "y"), "CREATE VIEW `d`.`y` AS select 1 from `d`.`x`");
        assertEquals(List.of(x, y), DumpDefinitions.ordered(List.of(x, y)));
    }
}
