/**
 * Copies finished binlog files to an object store, encrypted if there is a key, and reads them back from it.
 *
 * <pre>
 *   FinishedFiles ──> BackupStage ──> ObjectStore:  prefix/cluster/binlog.NNNNNN, .idx
 *   (the node's port)      └── once a file is there ──> prefix/cluster/MANIFEST (replaced as a whole)
 *
 *   ObjectStore ──> Download ──> Restore ──────> an empty binlog folder
 *                      └───────> ArchiveStage ──> a folder with the purged files that readers request
 * </pre>
 */
package io.tributary.backup;
