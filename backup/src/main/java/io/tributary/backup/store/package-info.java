/** Object stores for the backup: a directory or an S3 bucket, with checksums and resumed uploads. */
package io.tributary.backup.store;
