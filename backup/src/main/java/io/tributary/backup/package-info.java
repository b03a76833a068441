/**
 * Finished binlog files go to an object store, encrypted where there is a key, and come back from it.
 *
 * <pre>
 *   FinishedFiles ──> BackupStage ──> ObjectStore:  prefix/cluster/binlog.NNNNNN, .idx
 *   (the node's port)      └── once a file is there ──> prefix/cluster/MANIFEST (replaced as a whole)
 *
 *   ObjectStore ──> Download ──> Restore ──────> an empty binlog folder
 *                      └───────> ArchiveStage ──> a folder with the files that readers ask for and that are purged
 * </pre>
 */
package io.tributary.backup;
