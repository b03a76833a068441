/**
 * Copies finished binlog files to an object store, encrypted if there is a key, and reads them back from it. The object stores are in {@code store}.
 *
 * <pre>
 *   FinishedFiles ──> BackupStage ──> store.ObjectStore:  prefix/cluster/binlog.NNNNNN, .idx
 *   (the node's port)      └── once a file is there ──> prefix/cluster/MANIFEST (replaced as a whole)
 *
 *   store.ObjectStore ──> Download ──> Restore ──────> an empty binlog folder
 *                            └───────> ArchiveStage ──> a folder with the purged files that readers request
 * </pre>
 */
package io.tributary.backup;
