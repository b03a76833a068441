/**
 * Finished binlog files go to an object store, and come back from it.
 *
 * <pre>
 *   FinishedFiles ──> BackupStage ──> ObjectStore:  prefix/cluster/binlog.NNNNNN, .idx
 *   (the node's port)      └── once a file is there ──> prefix/cluster/MANIFEST (replaced as a whole)
 *
 *   ObjectStore ──> Restore ──> an empty binlog folder
 * </pre>
 */
package io.tributary.backup;
