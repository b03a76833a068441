package io.tributary.node.status;

import io.tributary.backup.Manifest;
import java.util.List;

/**
 * The backup as this node last read it.
 *
 * @param files in the backup
 */
public record BackupStatus(List<Manifest.Entry> files) implements StatusPart {}
