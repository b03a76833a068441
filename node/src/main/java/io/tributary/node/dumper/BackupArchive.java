package io.tributary.node.dumper;

import io.tributary.backup.ArchiveStage;
import io.tributary.backup.BackupState;
import io.tributary.backup.Manifest;
import io.tributary.binlog.Archive;
import io.tributary.common.gtid.GtidSet;
import io.tributary.common.gtid.Sid;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The backup as the archive that the servers of readers use. */
final class BackupArchive implements Archive {
    private final ArchiveStage stage;
    private final BackupState known;
    private final Sid sid;

    /** @param sid of the files' GTIDs */
    BackupArchive(ArchiveStage stage, BackupState known, Sid sid) {
        this.stage = stage;
        this.known = known;
        this.sid = sid;
    }

    @Override
    public List<Archived> files() {
        return known.manifest()
                .map(manifest -> manifest.files().stream().map(this::archived).toList())
                .orElse(List.of());
    }

    private Archived archived(Manifest.Entry file) {
        GtidSet before = file.firstGno() == 1
                ? GtidSet.EMPTY
                : GtidSet.EMPTY.toBuilder()
                        .addRange(sid, 1, file.firstGno() - 1)
                        .build();
        return new Archived(file.name(), file.size(), before);
    }

    @Override
    public Optional<Loan> borrow(String name, Runnable callback) {
        return stage.borrow(name, callback).map(Borrowed::new);
    }

    /** A loan as readers see it. */
    private record Borrowed(ArchiveStage.Loan loan) implements Loan {
        @Override
        public Optional<Path> path() {
            return loan.path();
        }

        @Override
        public void close() {
            loan.close();
        }
    }
}
